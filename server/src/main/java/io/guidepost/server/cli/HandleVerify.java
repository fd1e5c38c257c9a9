package io.guidepost.server.cli;

import io.guidepost.handle.HandleValue;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.authentication.PublicKeyAnswer;
import io.guidepost.handle.authentication.SecretKeyAnswer;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.Identity;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.service.Outcome;
import io.guidepost.handle.service.Question;
import io.guidepost.names.Malformed;
import io.guidepost.server.Json;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code guidepost handle verify}: says whether a key or a secret is that of an identity. */
@Command(
        name = "verify",
        description = "Says whether your key or secret is the one that a server has of you, and changes nothing.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:  guidepost handle verify --as 300:1234/ADMIN --key admpriv.bin",
            "          guidepost handle verify --as 301:1234/ADMIN --secret-file secret --server handle.example.org"
        })
final class HandleVerify implements Callable<Integer> {
    private static final int NONCE_BYTES = 16;
    private static final int DIGEST_BYTES = 32;

    @Mixin
    private HandleOptions options = new HandleOptions();

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Identity identity = options.identity()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "say who you are: --as INDEX:HANDLE with --key FILE or --secret-file FILE"));
        SecureRandom random = new SecureRandom();
        byte[] nonce = new byte[NONCE_BYTES];
        byte[] digest = new byte[DIGEST_BYTES];
        random.nextBytes(nonce);
        random.nextBytes(digest);
        boolean right;
        try (HandleClient client = options.open()) {
            right = switch (identity) {
                case Identity.KeyHolder holder -> isRight(client, holder, nonce, digest);
                case Identity.SecretHolder holder -> {
                    byte[] proof = SecretKeyAnswer.prove(
                                    SecretKeyAnswer.Kind.PBKDF2, holder.secret(), nonce, digest, random)
                            .write();
                    yield client.verify(holder.who(), nonce, digest, proof)
                            .orElseThrow(() -> new IOException("the server has no secret key " + holder.who()));
                }
            };
        }
        if (json) {
            spec.commandLine().getOut().print(Json.write(Json.object("identity", identity.who(), "right", right)));
            spec.commandLine().getOut().flush();
        } else if (right) {
            spec.commandLine().getOut().println("it is that of " + identity.who());
        } else {
            spec.commandLine().getErr().println("guidepost: it is not that of " + identity.who());
        }
        return right ? Exit.DONE : Exit.FAILED;
    }

    private static boolean isRight(HandleClient client, Identity.KeyHolder holder, byte[] nonce, byte[] digest)
            throws IOException {
        ValueReference who = holder.who();
        Outcome outcome = client.resolve(
                new Question(who.handle(), List.of(who.index()), List.of(), true, false, false, 0));
        HandleValue value = outcome.values().stream()
                .findFirst()
                .orElseThrow(() -> new IOException(who + ": " + HandleOutcomes.reason(outcome)));
        try {
            return PublicKeyAnswer.sign(holder.key(), ProtocolVersion.CURRENT, nonce, digest)
                    .verifies(PublicKeyRecord.read(value.data()).key(), nonce, digest, false);
        } catch (GeneralSecurityException e) {
            throw new IOException("the key does not sign: " + e.getMessage(), e);
        } catch (Malformed e) {
            throw new IOException(who + " is no public key: " + e.reason(), e);
        }
    }
}
