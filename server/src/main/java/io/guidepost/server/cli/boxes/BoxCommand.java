package io.guidepost.server.cli.boxes;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExceptionText;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command that runs a middlebox: opens its ports, sets it up on them, and prints its tables until it ends. */
abstract class BoxCommand extends ConsoleCommand {
    @Mixin
    private BoxOptions options = new BoxOptions();

    private @Nullable Path file;
    private String seen = "";

    /** Reads a file again and puts what it says in use. */
    interface Reload {
        void read(Path file) throws IOException, FaultyFile;
    }

    /** Checks the arguments, opens the ports, sets up the middlebox on them, and runs it. */
    abstract void box() throws Exception;

    /** Returns rows of its own for the tables, for people. */
    abstract TextTable table();

    /** Returns the same for programs. */
    abstract Object json();

    /** Returns what it is called. */
    final String name() {
        return spec().name();
    }

    /** Comes before each; a refusal of what happens there ends nothing. */
    void turn() {}

    /** Whether there is nothing more to do, as at the end of a file; asked some times in a second. */
    boolean isOver() {
        return false;
    }

    @Override
    public final Integer call() throws Exception {
        try {
            box();
        } catch (Malformed e) {
            throw wrong(e.reason());
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
        return ExitCode.DONE;
    }

    final BoxRunner open(List<String> ports) throws IOException {
        return new BoxRunner(ports, options);
    }

    final void run(BoxRunner stage) throws IOException, InterruptedException {
        stage.run(out(), err(), this);
    }

    /** Notes the present state of a file, from which {@link #reloadIfChanged} tells a change. */
    final void watch(Path watched) throws IOException {
        file = watched;
        seen = stamp(watched);
    }

    private static String stamp(Path file) throws IOException {
        return Files.getLastModifiedTime(file) + " " + Files.size(file);
    }

    /** Reads the watched file again if it has changed; what was in use before stays if it has faults. */
    final void reloadIfChanged(String what, Reload reload) {
        Path path = file;
        if (path == null) {
            return;
        }
        String kept = "; the " + what + " from before stay";
        try {
            String now = stamp(path);
            if (!now.equals(seen)) {
                seen = now;
                reload.read(path);
                err().println("guidepost: " + path + " was read again");
            }
        } catch (FaultyFile e) {
            e.faults().forEach(each -> err().println("guidepost: " + each));
            err().println("guidepost: " + e.total() + " faults" + kept);
        } catch (IllegalArgumentException e) {
            err().println("guidepost: " + e.getMessage() + kept);
        } catch (IOException e) {
            err().println("guidepost: " + ExceptionText.of(e) + kept);
        }
        err().flush();
    }
}
