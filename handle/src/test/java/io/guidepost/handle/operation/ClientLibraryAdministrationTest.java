package io.guidepost.handle.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.authentication.SecretKeyProof;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.service.HandleServiceCount;
import io.guidepost.handle.service.MisspeltRsa;
import io.guidepost.handle.service.TestHandleServer;
import io.guidepost.handle.service.TestTcpHost;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.handle.hdllib.AbstractMessage;
import net.handle.hdllib.AbstractRequest;
import net.handle.hdllib.AbstractResponse;
import net.handle.hdllib.AddValueRequest;
import net.handle.hdllib.AuthenticationInfo;
import net.handle.hdllib.ClientSessionTracker;
import net.handle.hdllib.CreateHandleRequest;
import net.handle.hdllib.CreateHandleResponse;
import net.handle.hdllib.DeleteHandleRequest;
import net.handle.hdllib.Encoder;
import net.handle.hdllib.GenericRequest;
import net.handle.hdllib.GetSiteInfoResponse;
import net.handle.hdllib.HandleResolver;
import net.handle.hdllib.HomeNaRequest;
import net.handle.hdllib.Interface;
import net.handle.hdllib.ListHandlesRequest;
import net.handle.hdllib.ListHandlesResponse;
import net.handle.hdllib.ListNAsRequest;
import net.handle.hdllib.ListNAsResponse;
import net.handle.hdllib.ModifyValueRequest;
import net.handle.hdllib.PublicKeyAuthenticationInfo;
import net.handle.hdllib.RemoveValueRequest;
import net.handle.hdllib.ResolutionRequest;
import net.handle.hdllib.ResolutionResponse;
import net.handle.hdllib.SecretKeyAuthenticationInfo;
import net.handle.hdllib.SessionSetupInfo;
import net.handle.hdllib.SiteInfo;
import net.handle.hdllib.UnhomeNaRequest;
import net.handle.hdllib.VerifyAuthRequest;
import net.handle.hdllib.VerifyAuthResponse;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client library of the Handle system administers our server over TCP: with each kind of key, with each kind of
 * session, with MACs and encryption.
 */
class ClientLibraryAdministrationTest {
    /** Without this the library makes a folder for its settings in the user's home. */
    @BeforeAll
    static void settingsAreElsewhere(@TempDir Path folder) {
        System.setProperty("net.handle.configDir", folder.toString());
    }

    /** A client, and the server it talks to. */
    private static final class Client implements AutoCloseable {
        final TestHandleServer server;
        final TestTcpHost host;
        final HandleResolver resolver = new HandleResolver();
        final SiteInfo site;
        boolean encrypted;
        boolean certified;

        Client(TestHandleServer server) throws Exception {
            this.server = server;
            this.host = new TestTcpHost(server.service);
            SiteRecord own = TestHandleServer.site(server.settings.keys().getPublic(), host.port());
            site = Encoder.decodeSiteInfoRecord(own.write(), 0);
            site.servers[0].interfaces = new Interface[] {new Interface((byte) 3, (byte) 1, host.port())};
            resolver.setCheckSignatures(true);
        }

        AbstractResponse send(AbstractRequest request) throws Exception {
            return send(request, each -> {});
        }

        AbstractResponse send(AbstractRequest request, net.handle.hdllib.ResponseMessageCallback parts)
                throws Exception {
            // The library keeps sessions for administrators, and lists outside of them.
            boolean inSession = request.authInfo != null
                    && !(request instanceof ListHandlesRequest)
                    && !(request instanceof ListNAsRequest);
            request.encrypt = encrypted && inSession;
            request.certify = certified;
            request.majorProtocolVersion = 2;
            request.minorProtocolVersion = 11;
            return resolver.sendRequestToSite(request, site, parts);
        }

        int code(AbstractRequest request) throws Exception {
            return send(request).responseCode;
        }

        @Override
        public void close() throws IOException {
            host.close();
            server.close();
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static net.handle.hdllib.HandleValue[] theirs(HandleValue... values) throws Exception {
        net.handle.hdllib.HandleValue[] theirs = new net.handle.hdllib.HandleValue[values.length];
        for (int i = 0; i < theirs.length; i++) {
            theirs[i] = new net.handle.hdllib.HandleValue();
            Encoder.decodeHandleValue(values[i].write(), 0, theirs[i]);
        }
        return theirs;
    }

    private static AuthenticationInfo rsa() {
        return new PublicKeyAuthenticationInfo(utf8("1234/ADMIN"), 300, TestHandleServer.RSA_KEYS.getPrivate());
    }

    private static AuthenticationInfo dsa() {
        return new PublicKeyAuthenticationInfo(utf8("1234/ADMIN"), 302, TestHandleServer.DSA_KEYS.getPrivate());
    }

    private static AuthenticationInfo secret() {
        return new SecretKeyAuthenticationInfo(utf8("1234/ADMIN"), 301, TestHandleServer.SECRET_KEY);
    }

    /** Everybody in the table of keys administers the prefix. */
    private static TestHandleServer server() throws IOException {
        TestHandleServer server = new TestHandleServer(
                settings -> settings.withServerAdmins(List.of(TestHandleServer.GROUP, TestHandleServer.DSA)), RemoteResolver.NONE);
        server.put(
                Handle.of("0.NA/1234"),
                TestHandleServer.admin(100, TestHandleServer.GROUP, 0xfff),
                TestHandleServer.admin(101, TestHandleServer.DSA, 0xfff));
        return server;
    }

    /** All operations, one after the other. */
    private static void administer(Client client, AuthenticationInfo who, String name) throws Exception {
        byte[] handle = utf8(name);
        net.handle.hdllib.HandleValue[] first = theirs(TestHandleServer.url(1, "http://e.x/"));
        assertThat(client.code(new CreateHandleRequest(handle, first, who))).as("create").isEqualTo(1);
        assertThat(client.code(new CreateHandleRequest(handle, first, who))).as("again").isEqualTo(101);
        net.handle.hdllib.HandleValue[] mail = theirs(HandleValue.of(2, "EMAIL", "a@b.c"));
        assertThat(client.code(new AddValueRequest(handle, mail, who))).as("add").isEqualTo(1);
        assertThat(client.code(new AddValueRequest(handle, mail, who))).as("again").isEqualTo(201);
        net.handle.hdllib.HandleValue[] other = theirs(HandleValue.of(2, "EMAIL", "x@y.z"));
        assertThat(client.code(new ModifyValueRequest(handle, other, who))).as("modify").isEqualTo(1);
        ResolutionResponse found = (ResolutionResponse) client.send(new ResolutionRequest(handle, null, null, null));
        assertThat(found.getHandleValues()[1].getDataAsString()).isEqualTo("x@y.z");
        net.handle.hdllib.HandleValue[] none = theirs(HandleValue.of(77, "EMAIL", "x@y.z"));
        assertThat(client.code(new ModifyValueRequest(handle, none, who))).as("none").isEqualTo(200);
        assertThat(client.code(new RemoveValueRequest(handle, new int[] {2}, who))).as("remove").isEqualTo(1);
        assertThat(client.code(new RemoveValueRequest(handle, new int[] {2}, who))).as("again").isEqualTo(200);
        assertThat(client.server.record(name).values()).hasSize(1);
        assertThat(listed(client, who)).contains(name);
        assertThat(client.code(new HomeNaRequest(utf8("0.NA/5678"), who))).as("home").isEqualTo(1);
        ListNAsResponse homes = (ListNAsResponse) client.send(new ListNAsRequest(utf8("/"), who));
        assertThat(homes.handles).isDeepEqualTo(new byte[][] {utf8("0.NA/1234"), utf8("0.NA/5678")});
        assertThat(client.code(new UnhomeNaRequest(utf8("0.NA/5678"), who))).as("unhome").isEqualTo(1);
        assertThat(client.code(new DeleteHandleRequest(handle, who))).as("delete").isEqualTo(1);
        assertThat(client.code(new DeleteHandleRequest(handle, who))).as("again").isEqualTo(100);
        CreateHandleRequest mint = new CreateHandleRequest(utf8("1234/"), first, who);
        mint.mintNewSuffix = true;
        String minted = new String(((CreateHandleResponse) client.send(mint)).handle, StandardCharsets.UTF_8);
        assertThat(minted).matches("1234/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        assertThat(client.server.exists(minted)).isTrue();
    }

    private static List<String> listed(Client client, AuthenticationInfo who) throws Exception {
        List<String> all = new ArrayList<>();
        AbstractResponse last = client.send(new ListHandlesRequest(utf8("0.NA/1234"), who), part -> {
            for (byte[] each : ((ListHandlesResponse) part).handles) {
                all.add(new String(each, StandardCharsets.UTF_8));
            }
        });
        assertThat(last.responseCode).as(last.toString()).isEqualTo(1);
        return all;
    }

    @Test
    void keysOfEachKindAdminister() throws Exception {
        Map<String, AuthenticationInfo> keys = new TreeMap<>(Map.of("rsa", rsa(), "dsa", dsa(), "secret", secret()));
        for (Map.Entry<String, AuthenticationInfo> each : keys.entrySet()) {
            for (boolean certified : new boolean[] {false, true}) {
                try (Client client = new Client(server())) {
                    client.certified = certified;
                    administer(client, each.getValue(), "1234/" + each.getKey() + certified);
                }
            }
        }
    }

    @Test
    void aSessionByDiffieAndHellmansMethodAdministers() throws Exception {
        for (boolean encrypted : new boolean[] {false, true}) {
            for (boolean certified : new boolean[] {false, true}) {
                for (AuthenticationInfo who : List.of(rsa(), dsa(), secret())) {
                    try (Client client = new Client(server())) {
                        SessionSetupInfo setup = new SessionSetupInfo();
                        setup.encrypted = encrypted;
                        setup.authenticated = true;
                        client.resolver.setSessionTracker(new ClientSessionTracker(setup));
                        client.encrypted = encrypted;
                        client.certified = certified;
                        administer(client, who, "1234/dh");
                        assertThat(client.server.service.sessions()).isEqualTo(1);
                        // The first request, and the two lists, which the library asks for outside of sessions.
                        assertThat(client.server.service.count(HandleServiceCount.CHALLENGES_SENT)).isEqualTo(3);
                    }
                }
            }
        }
    }

    @Test
    void sessionsWithRsaKeysAdminister() throws Exception {
        Security.addProvider(new MisspeltRsa());
        KeyPair exchange = TestHandleServer.pair("RSA", 2048);
        SessionSetupInfo client = new SessionSetupInfo(
                CLIENT_KEY, exchange.getPublic(), exchange.getPrivate());
        SessionSetupInfo server = new SessionSetupInfo(SERVER_KEY);
        SessionSetupInfo referred = new SessionSetupInfo(utf8("1234/ADMIN"), 300, TestHandleServer.RSA_KEYS.getPrivate());
        for (SessionSetupInfo setup : List.of(client, server, referred)) {
            try (Client each = new Client(server())) {
                setup.encrypted = true;
                setup.authenticated = true;
                each.resolver.setSessionTracker(new ClientSessionTracker(setup));
                each.encrypted = true;
                administer(each, rsa(), "1234/mode" + setup.keyExchangeMode);
                assertThat(each.server.service.sessions()).as("mode " + setup.keyExchangeMode).isEqualTo(1);
            }
        }
    }

    private static final int CLIENT_KEY = 1;
    private static final int SERVER_KEY = 2;

    @Test
    void theSiteIsTold() throws Exception {
        try (Client client = new Client(server())) {
            GetSiteInfoResponse site = (GetSiteInfoResponse)
                    client.send(new GenericRequest(utf8("/"), AbstractMessage.OC_GET_SITE_INFO, null));
            assertThat(site.siteInfo.servers[0].publicKey)
                    .isEqualTo(PublicKeyRecord.of(TestHandleServer.SERVER_KEYS.getPublic()).write());
        }
    }

    @Test
    void aLongListComesInParts() throws Exception {
        try (Client client = new Client(server())) {
            List<String> all = new ArrayList<>();
            for (int i = 0; i < 1_220; i++) {
                String name = "1234/N" + String.format("%04d", i);
                client.server.put(Handle.of(name), TestHandleServer.url(1, "http://e.x/"));
                all.add(name);
            }
            all.addFirst("1234/ADMIN");
            assertThat(listed(client, rsa())).isEqualTo(all);
        }
    }

    @Test
    void wrongKeysAreRefused() throws Exception {
        AuthenticationInfo wrongRsa =
                new PublicKeyAuthenticationInfo(utf8("1234/ADMIN"), 300, TestHandleServer.NOBODY_KEYS.getPrivate());
        AuthenticationInfo wrongSecret = new SecretKeyAuthenticationInfo(utf8("1234/ADMIN"), 301, utf8("guess"));
        AuthenticationInfo nobody =
                new PublicKeyAuthenticationInfo(utf8("1234/ADMIN"), 310, TestHandleServer.NOBODY_KEYS.getPrivate());
        try (Client client = new Client(server())) {
            net.handle.hdllib.HandleValue[] values = theirs(TestHandleServer.url(1, "http://e.x/"));
            assertThat(client.code(new CreateHandleRequest(utf8("1234/x"), values, wrongRsa))).isEqualTo(403);
            assertThat(client.code(new CreateHandleRequest(utf8("1234/x"), values, wrongSecret))).isEqualTo(403);
            assertThat(client.code(new CreateHandleRequest(utf8("1234/x"), values, nobody))).isEqualTo(400);
            assertThat(client.server.exists("1234/x")).isFalse();
        }
    }

    @Test
    void proofsOfSecretKeysAreVerifiedForOthers() throws Exception {
        try (Client client = new Client(server())) {
            byte[] nonce = new byte[16];
            byte[] digest = new byte[32];
            byte[] right = SecretKeyProof.prove(
                            SecretKeyProof.Kind.PBKDF2, TestHandleServer.SECRET_KEY, nonce, digest, client.server.random)
                    .write();
            for (boolean good : new boolean[] {true, false}) {
                right[right.length - 1] ^= (byte) (good ? 0 : 1);
                VerifyAuthResponse response = (VerifyAuthResponse) client.send(
                        new VerifyAuthRequest(utf8("1234/ADMIN"), nonce, digest, (byte) 3, right, 301, null));
                assertThat(response.isValid).isEqualTo(good);
            }
            VerifyAuthResponse absent = (VerifyAuthResponse) client.send(
                    new VerifyAuthRequest(utf8("1234/ADMIN"), nonce, digest, (byte) 3, right, 300, null));
            assertThat(absent.isValid).isFalse();
        }
    }
}
