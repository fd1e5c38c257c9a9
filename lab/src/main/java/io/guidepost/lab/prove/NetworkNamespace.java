package io.guidepost.lab.prove;

import io.guidepost.server.cli.support.ChildJvm;
import io.guidepost.server.cli.support.ChildProcesses;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A network namespace of our own, in which a server can be cut off without touching the network of this machine: the
 * program starts itself once more in it. Linux alone has them; root is not needed where users may have namespaces.
 */
final class NetworkNamespace {
    private static final String INSIDE = "TEST_NAMESPACE";

    private NetworkNamespace() {}

    /** Whether this process runs in one. */
    static boolean inside() {
        return System.getenv(INSIDE) != null;
    }

    /** Whether one can be made here, with the loopback device up and rules for routes; tries it. */
    static boolean possible() {
        try {
            ChildProcesses.run("unshare", "-rn", "sh", "-c", "ip link set lo up && ip rule add pref 1 lookup local");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Runs this program with other arguments in a new one, and returns its exit code. */
    static int rerun(List<String> arguments) throws IOException {
        return rerun("-rn", arguments);
    }

    /** The same with the rights of root outside, which programs in the kernel take. */
    static int rerunAsRoot(List<String> arguments) throws IOException {
        return rerun("-n", arguments);
    }

    private static int rerun(String how, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("unshare", how));
        command.addAll(ChildJvm.command(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put(INSIDE, "yes");
        builder.directory(new File("").getAbsoluteFile());
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "guidepost-namespace"));
        return ChildProcesses.await(process);
    }

    /** Prepares the one that this process runs in: loopback up, and room for rules before the local addresses. */
    static void prepare() throws IOException {
        ChildProcesses.run("ip", "link", "set", "lo", "up");
        ChildProcesses.run("ip", "rule", "add", "pref", "1", "lookup", "local");
        ChildProcesses.run("ip", "rule", "del", "pref", "0");
    }
}
