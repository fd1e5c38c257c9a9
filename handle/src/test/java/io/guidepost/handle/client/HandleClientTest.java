package io.guidepost.handle.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.handle.Handle;
import io.guidepost.handle.authentication.SecretKeyProof;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The client against the service of native messages, by every transport. */
class HandleClientTest {
    private static LoopbackHost host;
    private static LoopbackHost keeping;

    @BeforeAll
    static void start() throws Exception {
        host = LoopbackHost.customary();
        keeping = LoopbackHost.keeping();
    }

    @AfterAll
    static void stop() throws Exception {
        host.close();
        keeping.close();
    }

    private static final HandleClientSettings QUICK =
            HandleClientSettings.DEFAULT.withTimeout(Duration.ofSeconds(20)).withFirstWait(Duration.ofSeconds(2));

    private static HandleClient client(LoopbackHost of, HandleClientSettings settings) throws IOException {
        return HandleClient.of(of.site(), settings);
    }

    private static List<HandleValue> url(String url) {
        return List.of(HandleValue.of(1, "URL", url));
    }

    private static String text(HandleResult outcome, int index) {
        assertThat(outcome.code()).as(outcome.toString()).isEqualTo(ResponseCode.SUCCESS);
        byte[] data = outcome.values().stream()
                .filter(each -> each.index() == index)
                .findFirst()
                .orElseThrow()
                .data();
        return new String(data, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource(value = SiteInterface.Transport.class, names = {"UDP", "TCP", "HTTP"})
    void everythingByEachTransport(SiteInterface.Transport transport) throws Exception {
        Handle handle = Handle.of("1234/by-" + transport);
        for (ClientIdentity identity : List.of(host.byKey(), LoopbackHost.bySecret())) {
            try (HandleClient client =
                    HandleClient.of(host.site(transport), QUICK.withIdentity(identity).withCertified(true))) {
                assertThat(client.create(handle, url("http://e.x/1"), false, false).code())
                        .isEqualTo(ResponseCode.SUCCESS);
                assertThat(client.create(handle, url("http://e.x/1"), false, false).code())
                        .isEqualTo(ResponseCode.HANDLE_EXISTS);
                assertThat(client.add(handle, List.of(HandleValue.of(2, "EMAIL", "a@e.x")), false).success())
                        .isTrue();
                assertThat(client.modify(handle, url("http://e.x/2")).success()).isTrue();
                assertThat(text(client.resolve(handle), 1)).isEqualTo("http://e.x/2");
                assertThat(client.remove(handle, List.of(2)).success()).isTrue();
                assertThat(client.resolve(handle).values()).hasSize(1);
                assertThat(client.delete(handle).success()).isTrue();
                assertThat(client.resolve(handle).code()).isEqualTo(ResponseCode.HANDLE_NOT_FOUND);
                assertThat(client.site()).isEqualTo(host.site());
            }
        }
    }

    @Test
    void aRequestComesAsItWasMade() throws Exception {
        Handle handle = Handle.of("1234/flags");
        try (HandleClient client = client(host, QUICK)) {
            for (int flag = 0; flag < 4; flag++) {
                ResolveRequest made = new ResolveRequest(
                        handle, List.of(1, 2), List.of("URL"), flag == 0, flag == 1, flag == 2, flag, flag == 3);
                client.resolve(made);
                assertThat(host.asked()).isEqualTo(made);
            }
        }
    }

    @Test
    void longMessagesGoByDatagramsBothWays() throws Exception {
        Handle handle = Handle.of("1234/long");
        String longText = "x".repeat(20_000);
        HandleClientSettings settings = QUICK.withIdentity(host.byKey());
        try (HandleClient client = HandleClient.of(host.site(SiteInterface.Transport.UDP), settings)) {
            assertThat(client.create(handle, url(longText), true, false).success()).isTrue();
            assertThat(text(client.resolve(handle), 1)).isEqualTo(longText);
        }
    }

    @Test
    void aLostDatagramIsSentAgain() throws Exception {
        HandleClientSettings settings = HandleClientSettings.DEFAULT.withFirstWait(Duration.ofMillis(50));
        try (HandleClient client = HandleClient.of(host.site(SiteInterface.Transport.UDP), settings)) {
            host.lose(1);
            assertThat(client.resolve(LoopbackHost.ADMIN).success()).isTrue();
        }
    }

    @Test
    void withoutAnAnswerByUdpItAsksByTcp() throws Exception {
        try (HandleClient client = client(host, HandleClientSettings.DEFAULT.withFirstWait(Duration.ofMillis(10)))) {
            host.lose(3);
            assertThat(client.resolve(LoopbackHost.ADMIN).success()).isTrue();
        }
    }

    @Test
    void mintsListsHomesAndUnhomes() throws Exception {
        try (HandleClient client = client(host, QUICK.withIdentity(host.byKey()).withSession(true))) {
            Handle prefix = Handle.of("0.NA/77");
            assertThat(client.home(prefix).success()).isTrue();
            List<String> homed = new ArrayList<>();
            assertThat(client.homed(each -> homed.add(each.toString())).success()).isTrue();
            assertThat(homed).contains("0.NA/1234", "0.NA/77");
            HandleResult minted = client.create(Handle.of("77/"), url("http://e.x"), false, true);
            assertThat(minted.handle().toString()).matches("77/[0-9a-f-]{36}");
            for (int i = 0; i < 120; i++) {
                assertThat(client.create(Handle.of("77/" + i), url("http://e.x/" + i), false, false).success())
                        .isTrue();
            }
            List<Handle> listed = new ArrayList<>();
            assertThat(client.list(prefix, listed::add).success()).isTrue();
            assertThat(listed).hasSize(121).contains(Handle.of("77/119"), minted.handle());
            assertThat(client.unhome(prefix).success()).isTrue();
            assertThat(client.resolve(Handle.of("77/1")).code()).isEqualTo(ResponseCode.NOT_RESPONSIBLE);
        }
    }

    @Test
    void sessionsAreForOneChallengeAndMayBeEncrypted() throws Exception {
        for (boolean encrypted : List.of(false, true)) {
            for (ClientIdentity identity : List.of(host.byKey(), LoopbackHost.bySecret())) {
                HandleClientSettings settings =
                        QUICK.withIdentity(identity).withSession(true).withEncrypted(encrypted).withCertified(true);
                try (HandleClient client = client(host, settings)) {
                    Handle handle = Handle.of("1234/session");
                    for (int i = 0; i < 5; i++) {
                        assertThat(client.create(handle, url("http://e.x/" + i), true, false).success())
                                .isTrue();
                    }
                    ResolveRequest all = new ResolveRequest(LoopbackHost.ADMIN, List.of(), List.of(), false, false, false, 0);
                    assertThat(text(client.resolve(all), 301)).isEqualTo("secret");
                }
            }
        }
    }

    @Test
    void manyCreateAtATimeOverFewKeptConnections() throws Exception {
        HandleClientSettings settings = QUICK.withIdentity(keeping.byKey())
                .withSession(true)
                .withPipelined(true)
                .withConnectionsMax(2);
        int before = keeping.connections();
        try (HandleClient client = client(keeping, settings);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HandleResult>> all = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                Handle handle = Handle.of("1234/many-" + i);
                all.add(threads.submit(() -> client.create(handle, url("http://e.x"), false, false)));
            }
            for (Future<HandleResult> each : all) {
                assertThat(each.get().code()).isEqualTo(ResponseCode.SUCCESS);
            }
        }
        assertThat(keeping.connections() - before).isLessThanOrEqualTo(10);
    }

    @Test
    void theConnectionOfASessionIsKeptFromItsSetup() throws Exception {
        HandleClientSettings settings = QUICK.withIdentity(keeping.byKey())
                .withSession(true)
                .withPipelined(true)
                .withConnectionsMax(1);
        int before = keeping.connections();
        try (HandleClient client = client(keeping, settings)) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.create(Handle.of("1234/kept-" + i), url("http://e.x"), true, false).success())
                        .isTrue();
            }
        }
        // One to find out that the server keeps them, and the one that it keeps.
        assertThat(keeping.connections() - before).isEqualTo(2);
    }

    @Test
    void aConnectionThatRestedTooLongIsUsedNoMore() throws Exception {
        HandleClientSettings settings = QUICK.withIdentity(keeping.byKey())
                .withSession(true)
                .withPipelined(true)
                .withIdleMax(Duration.ZERO)
                .withConnectionsMax(1);
        int before = keeping.connections();
        try (HandleClient client = client(keeping, settings)) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.create(Handle.of("1234/rested-" + i), url("http://e.x"), true, false).success())
                        .isTrue();
            }
            // One to find out that the server keeps them; then the setup, the first change, its proof, and two changes.
            assertThat(keeping.connections() - before).isEqualTo(6);
        }
    }

    @Test
    void aServerThatClosesConnectionsIsFoundOutAndServedOneByOne() throws Exception {
        try (HandleClient client =
                client(host, QUICK.withIdentity(host.byKey()).withPipelined(true))) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.create(Handle.of("1234/one-" + i), url("http://e.x"), true, false).success())
                        .isTrue();
            }
        }
    }

    @Test
    void whatIsNotProvenIsRefused() throws Exception {
        SiteRecord wrong = host.siteWithWrongKey();
        try (HandleClient client = HandleClient.of(wrong, QUICK.withCertified(true))) {
            assertThatThrownBy(() -> client.resolve(LoopbackHost.ADMIN))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not signed by the server");
        }
        try (HandleClient client = HandleClient.of(wrong, QUICK.withSession(true))) {
            assertThatThrownBy(() -> client.resolve(LoopbackHost.ADMIN)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aServerKnownByItsAddressAloneIsAskedForItsKey() throws Exception {
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), host.port(SiteInterface.Transport.TCP));
        HandleClientSettings settings = QUICK.withCertified(true).withSession(true).withIdentity(host.byKey());
        try (HandleClient client =
                HandleClient.at(List.of(HandleEndpoint.of(SiteInterface.Transport.TCP, address)), settings)) {
            assertThat(client.resolve(LoopbackHost.ADMIN).success()).isTrue();
            assertThat(client.site()).isEqualTo(host.site());
        }
    }

    @Test
    void wrongSecretsAndStrangersAreToldSo() throws Exception {
        Handle handle = Handle.of("1234/denied");
        ClientIdentity wrong = new ClientIdentity.SecretHolder(LoopbackHost.BY_SECRET, new byte[] {1, 2, 3});
        try (HandleClient client = client(host, QUICK.withIdentity(wrong))) {
            assertThat(client.create(handle, url("http://e.x"), false, false).code())
                    .isEqualTo(ResponseCode.AUTHENTICATION_FAILED);
        }
        try (HandleClient client = client(host, QUICK)) {
            assertThat(client.create(handle, url("http://e.x"), false, false).code())
                    .isEqualTo(ResponseCode.CHALLENGE);
        }
    }

    @Test
    void proofsWithSecretsAreVerifiedByTheServerThatKeepsThem() throws Exception {
        byte[] nonce = new byte[16];
        byte[] digest = new byte[32];
        byte[] right = SecretKeyProof.prove(
                        SecretKeyProof.Kind.PBKDF2,
                        "secret".getBytes(StandardCharsets.UTF_8),
                        nonce,
                        digest,
                        new SecureRandom())
                .write();
        try (HandleClient client = client(host, QUICK)) {
            assertThat(client.verify(LoopbackHost.BY_SECRET, nonce, digest, right)).contains(true);
            nonce[0]++;
            assertThat(client.verify(LoopbackHost.BY_SECRET, nonce, digest, right)).contains(false);
        }
    }

    @Test
    void whoIsResponsibleIsSaidByTheMapOrByTheRoot() throws Exception {
        try (RecursiveResolver local = new RecursiveResolver(Map.of("1234", List.of(host.site())), Optional.empty(), QUICK)) {
            assertThat(local.resolve(ResolveRequest.ofAll(LoopbackHost.ADMIN)).orElseThrow().success()).isTrue();
            assertThat(local.resolve(ResolveRequest.ofAll(Handle.of("9/9")))).isEmpty();
            assertThat(local.verify(new ValueReference(Handle.of("9/9"), 1), new byte[1], new byte[1], new byte[1]))
                    .isEmpty();
        }
        try (LoopbackHost root = LoopbackHost.customary();
                HandleClient atRoot = client(root, QUICK.withIdentity(root.byKey()))) {
            assertThat(atRoot.home(Handle.of("0.NA/0.NA")).success()).isTrue();
            root.put(new HandleRecord(
                    Handle.of("0.NA/1234"), List.of(HandleValue.of(1, "HS_SERV", "0.NA/SERVICE"))));
            root.put(new HandleRecord(
                    Handle.of("0.NA/SERVICE"),
                    List.of(new HandleValue(
                            1,
                            "HS_SITE",
                            host.site().write(),
                            Permissions.USUAL,
                            new Ttl.Relative(60),
                            0,
                            List.of()))));
            try (RecursiveResolver byRoot = new RecursiveResolver(Map.of(), Optional.of(root.site()), QUICK)) {
                assertThat(byRoot.resolve(ResolveRequest.ofAll(LoopbackHost.ADMIN)).orElseThrow().success())
                        .isTrue();
                assertThat(byRoot.resolve(ResolveRequest.ofAll(Handle.of("4321/1")))).isEmpty();
            }
        }
    }
}
