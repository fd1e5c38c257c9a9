package io.guidepost.server.cli.handle;

import io.guidepost.base.DurableFiles;
import io.guidepost.handle.key.PrivateKeyFile;
import io.guidepost.handle.key.PrivateKeyRecord;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost handle keygen}: makes a pair of keys. */
@Command(
        name = "keygen",
        description = "Makes a pair of keys in two files, as all tools for handles read them.",
        footer = {
            "Example:  guidepost handle keygen adm           (admpriv.bin for you, admpub.bin for the value HS_PUBKEY)",
            "          guidepost handle create 1234/ADMIN 300:HS_PUBKEY=@admpub.bin ..."
        })
final class HandleKeygenCommand extends ConsoleCommand {
    private enum Algorithm {
        RSA,
        DSA
    }

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description = "What the files begin with: NAMEpriv.bin and NAMEpub.bin; may have a folder before it.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private String name;

    @Option(names = "--algorithm", defaultValue = "RSA", description = "RSA or DSA (default: ${DEFAULT-VALUE}).")
    private Algorithm algorithm = Algorithm.RSA;

    @Option(names = "--bits", description = "2048 or 3072, for RSA 4096 too (default: ${DEFAULT-VALUE}).")
    private int bits = 2048;

    @Option(
            names = "--passphrase-file",
            paramLabel = "FILE",
            description = "File whose first line is the passphrase to encrypt the private key with.")
    private @Nullable Path passphraseFile;

    @Override
    public Integer call() throws Exception {
        if (bits != 2048 && bits != 3072 && (bits != 4096 || algorithm == Algorithm.DSA)) {
            throw wrong("--bits is " + bits + "; it must be 2048 or 3072, for RSA 4096 too");
        }
        Path privateFile = Path.of(name + "priv.bin");
        Path publicFile = Path.of(name + "pub.bin");
        if (Files.exists(publicFile)) {
            throw new FileAlreadyExistsException(publicFile.toString());
        }
        char[] secret = passphraseFile == null ? null : HandleOptions.firstLine(passphraseFile).toCharArray();
        if (Files.exists(privateFile)) {
            // A power loss may have come between the two.
            PublicKeyRecord missing = PrivateKeyRecord.of(HandleOptions.readKey(privateFile, secret))
                    .publicKey()
                    .orElseThrow(() -> new FileAlreadyExistsException(privateFile.toString()));
            DurableFiles.write(publicFile, missing.write());
            out().println("wrote " + publicFile + ", of " + privateFile + " that was there");
            return ExitCode.DONE;
        }
        SecureRandom random = new SecureRandom();
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm.name().toUpperCase(Locale.ROOT));
        generator.initialize(bits, random);
        KeyPair pair = generator.generateKeyPair();
        PrivateKeyRecord own = PrivateKeyRecord.of(pair.getPrivate());
        writeSecret(privateFile, secret == null ? PrivateKeyFile.write(own) : PrivateKeyFile.write(own, secret, random));
        DurableFiles.write(publicFile, PublicKeyRecord.of(pair.getPublic()).write());
        out().println("wrote " + privateFile + " (keep it secret) and " + publicFile);
        return ExitCode.DONE;
    }

    private static void writeSecret(Path file, byte[] bytes) throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] own = posix ? new FileAttribute<?>[] {DurableFiles.OWNER_ONLY} : new FileAttribute<?>[0];
        DurableFiles.write(file, bytes, own);
    }
}
