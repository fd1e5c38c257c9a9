package io.guidepost.server.cli.support;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command: where it prints, and how it refuses its arguments. Its {@code call} returns one of {@link ExitCode}. */
@Command(mixinStandardHelpOptions = true, footerHeading = "%n")
public abstract class ConsoleCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    /** Returns what picocli knows of this command. */
    protected final CommandSpec spec() {
        return spec;
    }

    /** Returns where results are printed. */
    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Returns where all else is told. */
    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Prints a result. */
    protected final void print(Object text) {
        out().print(text);
        out().flush();
    }

    /** Returns an argument that is no option, by its position from 0, as it was typed. */
    protected final String typed(int position) {
        return spec.positionalParameters().get(position).originalStringValues().getFirst();
    }

    /** Returns the refusal of arguments. */
    protected final ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    /** Returns the refusal of arguments that do not fit together, as something else found. */
    protected final ParameterException wrong(Exception cause) {
        return new ParameterException(spec.commandLine(), String.valueOf(cause.getMessage()), cause);
    }
}
