package io.guidepost.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.authentication.DiffieHellman;
import io.guidepost.handle.authentication.MessageSignature;
import io.guidepost.handle.authentication.ReplayWindow;
import io.guidepost.handle.authentication.SessionCipher;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.KeyExchange;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseBuilder;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteServer;
import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import net.handle.hdllib.AbstractResponse;
import net.handle.hdllib.ClientSessionTracker;
import net.handle.hdllib.HandleException;
import net.handle.hdllib.HandleResolver;
import net.handle.hdllib.Interface;
import net.handle.hdllib.ResolutionRequest;
import net.handle.hdllib.ResolutionResponse;
import net.handle.hdllib.ServerInfo;
import net.handle.hdllib.SessionSetupInfo;
import net.handle.hdllib.SiteInfo;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client library in sessions with a server of a few lines over our codec, on the loopback interface: it agrees on a
 * key with us, takes our signature, and we take its MACs and read what it encrypts, and the other way round.
 */
class ClientLibrarySessionTest {
    /** Bounds a test that fails; one that does not waits for nothing. */
    private static final int ACCEPT_MILLIS_MAX = 10_000;

    private final SecureRandom random = new SecureRandom();
    private final ResponseBuilder answers = new ResponseBuilder(1, true);
    private final List<String> asked = new ArrayList<>();
    private ReplayWindow counters = new ReplayWindow();
    private Optional<SessionKey> session = Optional.empty();

    /** Without this the library makes a folder for its settings in the user's home. */
    @BeforeAll
    static void settingsAreElsewhere(@TempDir Path folder) {
        System.setProperty("net.handle.configDir", folder.toString());
    }

    private byte[] answer(byte[] received, KeyPair server, SessionCipher cipher) throws Exception {
        HandleEnvelope envelope = HandleEnvelope.readPrefix(new WireReader(received));
        byte[] clear = envelope.encrypted() ? session.orElseThrow().decrypt(received) : received;
        HandleMessage request = HandleMessage.readRequest(clear);
        long now = System.currentTimeMillis() / 1000;
        String how = envelope.encrypted() ? " encrypted" : " clear";
        if (request.body() instanceof MessageBody.Setup setup
                && setup.exchange() instanceof KeyExchange.DiffieHellman exchange
                && PublicKeyRecord.read(exchange.publicKey()) instanceof PublicKeyRecord.Dh client) {
            asked.add("setup" + how);
            counters = new ReplayWindow();
            KeyPair pair = DiffieHellman.serverKeys(client, false, random);
            session = Optional.of(DiffieHellman.agree(pair.getPrivate(), client, cipher));
            DiffieHellman.Reply part =
                    new DiffieHellman.Reply(cipher, (PublicKeyRecord.Dh) PublicKeyRecord.of(pair.getPublic()));
            HandleMessage answer = answers.answer(
                    request, clear, ResponseCode.SUCCESS, new MessageBody.SetupReply(4, part.write()), now);
            answer = answer.with(answer.envelope().withSession(77));
            return MessageSignature.sign(answer, server.getPrivate(), 0).write();
        }
        SessionKey key = session.orElseThrow();
        assertThat(request.envelope().sessionId()).isEqualTo(77);
        assertThat(key.verifies(clear, request)).as("the MAC of " + request).isTrue();
        int counter = request.credential().orElseThrow().counter();
        assertThat(counters.use(counter)).isTrue();
        assertThat(request.operation()).contains(HandleOperation.RESOLVE);
        asked.add("resolve " + counter + how);
        Handle handle = ((MessageBody.Resolve) request.body()).handle();
        MessageBody found = new MessageBody.Values(handle, List.of(HandleValue.of(1, "URL", "http://e.x/" + counter)));
        HandleMessage answer = answers.answer(request, clear, ResponseCode.SUCCESS, found, now);
        byte[] sealed = key.seal(answer, counter).write();
        return request.header().has(OpFlag.ENCR) || envelope.encrypted() ? key.encrypt(sealed, random) : sealed;
    }

    private boolean serve(ServerSocket socket, KeyPair server, SessionCipher cipher, int connections) throws Exception {
        for (int i = 0; i < connections; i++) {
            try (Socket connection = socket.accept()) {
                DataInputStream in = new DataInputStream(connection.getInputStream());
                byte[] envelope = new byte[HandleEnvelope.BYTES];
                in.readFully(envelope);
                byte[] whole = Arrays.copyOf(
                        envelope, HandleEnvelope.BYTES + HandleEnvelope.readPrefix(new WireReader(envelope)).length());
                in.readFully(whole, HandleEnvelope.BYTES, whole.length - HandleEnvelope.BYTES);
                connection.getOutputStream().write(answer(whole, server, cipher));
            }
        }
        return true;
    }

    private void resolveInSession(SessionCipher cipher, boolean encrypted) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair server = generator.generateKeyPair();
        try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout(ACCEPT_MILLIS_MAX);
            FutureTask<Boolean> serving = new FutureTask<>(() -> serve(socket, server, cipher, 3));
            Thread.ofPlatform().daemon().start(serving);
            SiteInfo site = site(socket.getLocalPort(), server);
            HandleResolver resolver = new HandleResolver();
            SessionSetupInfo setup = new SessionSetupInfo();
            setup.encrypted = encrypted;
            setup.authenticated = true;
            ClientSessionTracker tracker = new ClientSessionTracker(setup);
            resolver.setSessionTracker(tracker);
            for (int i = 1; i <= 2; i++) {
                assertThat(resolve(resolver, tracker, encrypted, site, serving)).isEqualTo("http://e.x/" + i);
            }
            assertThat(serving.get()).isTrue();
        }
    }

    private static String resolve(
            HandleResolver resolver,
            ClientSessionTracker tracker,
            boolean encrypted,
            SiteInfo site,
            FutureTask<Boolean> serving)
            throws Exception {
        ResolutionRequest request = new ResolutionRequest("1234/1".getBytes(StandardCharsets.UTF_8), null, null, null);
        request.sessionTracker = tracker;
        request.encrypt = encrypted;
        request.certify = true;
        request.majorProtocolVersion = 2;
        request.minorProtocolVersion = 11;
        try {
            AbstractResponse response = resolver.sendRequestToServer(request, site, site.servers[0]);
            assertThat(response).as(response.toString()).isInstanceOf(ResolutionResponse.class);
            return ((ResolutionResponse) response).getHandleValues()[0].getDataAsString();
        } catch (HandleException e) {
            // What went wrong at our end is the better reason.
            serving.get();
            throw e;
        }
    }

    private static SiteInfo site(int port, KeyPair server) throws Exception {
        ServerInfo info = new ServerInfo();
        info.serverId = 1;
        info.ipAddress = SiteServer.address(InetAddress.getLoopbackAddress());
        info.publicKey = PublicKeyRecord.of(server.getPublic()).write();
        info.interfaces = new Interface[] {new Interface((byte) 3, (byte) 1, port)};
        SiteInfo site = new SiteInfo();
        site.majorProtocolVersion = 2;
        site.minorProtocolVersion = 11;
        site.isPrimary = true;
        site.serialNumber = 1;
        site.servers = new ServerInfo[] {info};
        return site;
    }

    @Test
    void theLibraryResolvesInASession() throws Exception {
        resolveInSession(SessionCipher.AES, false);
        assertThat(asked).containsExactly("setup clear", "resolve 1 clear", "resolve 2 clear");
    }

    @Test
    void theLibraryResolvesInAnEncryptedSession() throws Exception {
        for (SessionCipher cipher : SessionCipher.values()) {
            asked.clear();
            resolveInSession(cipher, true);
            assertThat(asked).containsExactly("setup clear", "resolve 1 encrypted", "resolve 2 encrypted");
        }
    }
}
