package io.guidepost.server.cli.names;

import io.guidepost.naming.WriterTokens;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
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

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "A client's certificate (PEM): it may write without a token, over HTTPS.")
    private @Nullable Path certificate;

    @Override
    public Integer call() throws IOException {
        if (certificate != null) {
            add(line(certificate));
            return ExitCode.DONE;
        }
        String token = WriterTokens.create(new SecureRandom());
        add(WriterTokens.line(token, prefix));
        print(token + "\n");
        return ExitCode.DONE;
    }

    private String line(Path pem) throws IOException {
        try (InputStream in = Files.newInputStream(pem)) {
            return WriterTokens.line((X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in), prefix);
        } catch (CertificateException e) {
            throw new IOException(pem + " is no certificate in PEM: " + e.getMessage(), e);
        }
    }

    private void add(String line) throws IOException {
        if (file == null) {
            err().println("Line for names.token-file:");
            err().println(line);
            err().flush();
        } else {
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }
}
