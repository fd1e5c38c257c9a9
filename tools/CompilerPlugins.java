import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads the plugins of the compiler once for all compilations of a build, where javac would load and warm up Error Prone for each of
 * some forty. The launcher puts it on the boot class path of Maven's JVM, and javac makes one for each compilation (its hidden option
 * procloader). It is not closed with the compilation, as the next one goes on with its classes. Any thread may call.
 */
public final class CompilerPlugins extends ClassLoader {
    private static final Map<List<String>, ClassLoader> LOADED = new ConcurrentHashMap<>();

    /** Called by javac. */
    public CompilerPlugins(URL[] path, ClassLoader parent) {
        super(LOADED.computeIfAbsent(
                Arrays.stream(path).map(URL::toString).toList(), _ -> new URLClassLoader(path, parent)));
    }
}
