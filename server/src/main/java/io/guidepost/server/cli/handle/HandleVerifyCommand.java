package io.guidepost.server.cli.handle;

import io.guidepost.base.Malformed;
import io.guidepost.handle.authentication.PublicKeyProof;
import io.guidepost.handle.authentication.SecretKeyProof;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost handle verify}: says whether a key or a secret is that of an identity. */
@Command(
        name = "verify",
        description = "Says whether your key or secret is the one that a server has of you, and changes nothing.",
        footer = {
            "Example:  guidepost handle verify --as 300:1234/ADMIN --key admpriv.bin",
            "          guidepost handle verify --as 301:1234/ADMIN --secret-file secret --server handle.example.org"
        })
final class HandleVerifyCommand extends ConsoleCommand {
    private static final int NONCE_BYTES = 16;
    private static final int DIGEST_BYTES = 32;

    @Mixin
    private HandleOptions options = new HandleOptions();

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        ClientIdentity identity = options.identity()
                .orElseThrow(() -> wrong("say who you are: --as INDEX:HANDLE with --key FILE or --secret-file FILE"));
        SecureRandom random = new SecureRandom();
        byte[] nonce = new byte[NONCE_BYTES];
        byte[] digest = new byte[DIGEST_BYTES];
        random.nextBytes(nonce);
        random.nextBytes(digest);
        boolean right;
        try (HandleClient client = options.open()) {
            right = switch (identity) {
                case ClientIdentity.KeyHolder holder -> isRight(client, holder, nonce, digest);
                case ClientIdentity.SecretHolder holder -> {
                    byte[] proof = SecretKeyProof.prove(
                                    SecretKeyProof.Kind.PBKDF2, holder.secret(), nonce, digest, random)
                            .write();
                    yield client.verify(holder.who(), nonce, digest, proof)
                            .orElseThrow(() -> new IOException("the server has no secret key " + holder.who()));
                }
            };
        }
        if (json) {
            print(JsonWriter.text(JsonWriter.object("identity", identity.who(), "right", right)));
        } else if (right) {
            out().println("it is that of " + identity.who());
        } else {
            err().println("guidepost: it is not that of " + identity.who());
        }
        return right ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static boolean isRight(HandleClient client, ClientIdentity.KeyHolder holder, byte[] nonce, byte[] digest)
            throws IOException {
        ValueReference who = holder.who();
        HandleResult outcome = client.resolve(
                new ResolveRequest(who.handle(), List.of(who.index()), List.of(), true, false, false, 0));
        HandleValue value = outcome.values().stream()
                .findFirst()
                .orElseThrow(() -> new IOException(who + ": " + HandleOutcomeText.reason(outcome)));
        try {
            return PublicKeyProof.sign(holder.key(), ProtocolVersion.CURRENT, nonce, digest)
                    .verifies(PublicKeyRecord.read(value.data()).key(), nonce, digest, false);
        } catch (GeneralSecurityException e) {
            throw new IOException("the key does not sign: " + e.getMessage(), e);
        } catch (Malformed e) {
            throw new IOException(who + " is no public key: " + e.reason(), e);
        }
    }
}
