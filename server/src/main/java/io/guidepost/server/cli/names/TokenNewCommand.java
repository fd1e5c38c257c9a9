package io.guidepost.server.cli.names;

import io.guidepost.naming.WriterTokens;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code guidepost token new}: makes a token. */
@Command(
        name = "new",
        description = "Makes a token and prints it; it is shown once. The server needs its hash alone, as a line of the file that"
                + " names.token-file names, and reads that at a reload.",
        footer = "Example:  guidepost token new --prefix orders. --file /etc/guidepost/tokens && guidepost reload")
final class TokenNewCommand extends ConsoleCommand {
    @Option(
            names = "--prefix",
            required = true,
            paramLabel = "PREFIX",
            description = "What the names begin with that it may write; '' for all.")
    private String prefix = "";

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "File to add the line with its hash to (default: the line is printed).")
    private @Nullable Path file;

    @Override
    public Integer call() throws IOException {
        String token = WriterTokens.create(new SecureRandom());
        String line = WriterTokens.line(token, prefix);
        if (file == null) {
            err().println("Line for names.token-file:");
            err().println(line);
            err().flush();
        } else {
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        print(token + "\n");
        return ExitCode.DONE;
    }
}
