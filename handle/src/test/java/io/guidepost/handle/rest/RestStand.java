package io.guidepost.handle.rest;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.operation.AccessControl;
import io.guidepost.handle.operation.Administration;
import io.guidepost.handle.operation.Authenticator;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.operation.LocalResolver;
import io.guidepost.handle.operation.RecordTemplates;
import io.guidepost.handle.operation.RemoteResolver;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.operation.TestHandleSettings;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.record.ValueIndex;
import io.guidepost.handle.service.CpuQuota;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A whole door with its JSON interface over a store, without connections, and requests to it. */
final class RestStand implements AutoCloseable {
    static final String SECRET = "secret";
    static final ValueReference KEY_ADMIN = new ValueReference(Handle.of("1234/ADMIN"), 300);
    static final ValueReference SECRET_ADMIN = new ValueReference(Handle.of("1234/ADMIN"), 301);
    static final KeyPair RSA = pair("RSA", 2048);

    final ValueIndex index;
    final RecordStore store;
    final HandleRecords records;
    final HomedPrefixes homes;
    final RestApi api;
    final CpuQuota effort;
    final List<RestListener.Change> changes = new CopyOnWriteArrayList<>();
    @Nullable ResolveRequest asked;
    Instant now = Instant.ofEpochSecond(1_700_000_000L);

    RestStand(StoreOptions options, Set<String> indexed) throws IOException {
        index = new ValueIndex(indexed);
        store = EmbeddedStore.open(options.withDerivation(index));
        records = new HandleRecords(store, false);
        homes = new HomedPrefixes(store);
        homes.home(Handle.of("0.NA/1234"));
        SiteRecord site = new SiteRecord(
                2,
                11,
                1,
                true,
                false,
                SiteRecord.Hash.HANDLE,
                new byte[0],
                List.of(new SiteRecord.Attribute("desc", "bench peer")),
                List.of(new SiteServer(
                        1,
                        SiteServer.address(InetAddress.ofLiteral("127.0.0.1")),
                        PublicKeyRecord.of(RSA.getPublic()).write(),
                        List.of(new SiteInterface(true, true, SiteInterface.Transport.TCP, 2641)))));
        HandleSettings settings = TestHandleSettings.of(site, 1, RSA)
                .withServerAdmins(List.of(KEY_ADMIN, SECRET_ADMIN))
                .withServerAdminFullAccess(true).settings();
        AccessControl rights = new AccessControl(settings, records, RemoteResolver.NONE);
        InstantSource clock = () -> now;
        SecureRandom random = new SecureRandom();
        effort = new CpuQuota(clock, 8);
        LocalResolver resolver =
                new LocalResolver(settings, records, homes, rights, RemoteResolver.NONE, RecordTemplates.NONE, InstantSource.system());
        api = new RestApi(
                settings,
                (question, caller) -> {
                    asked = question;
                    return resolver.resolve(question, caller);
                },
                new Administration(settings, records, homes, rights, random),
                new Authenticator(settings, records, RemoteResolver.NONE),
                records,
                homes,
                index,
                effort,
                clock,
                random,
                (_, change) -> changes.add(change));
    }

    static RestStand inMemory() throws IOException {
        return new RestStand(StoreOptions.inMemory(), Set.of("URL", "email"));
    }

    static KeyPair pair(String algorithm, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Puts a record into the store without asking anyone. */
    void put(String handle, HandleValue... values) throws IOException {
        HandleRecord record = new HandleRecord(Handle.of(handle), List.of(values));
        records.change(record.handle(), (_, _) -> new RecordEdit.Next.Written(record, false));
    }

    /** The administrators of the prefix: one by key, one by secret. */
    void administrators() throws IOException {
        put(
                "1234/ADMIN",
                HandleValue.of(100, "HS_ADMIN", new AdminRecord(AdminRight.ALL, KEY_ADMIN).write()),
                HandleValue.of(300, "HS_PUBKEY", PublicKeyRecord.of(RSA.getPublic()).write()),
                secret(301, SECRET));
    }

    static HandleValue secret(int index, String secret) {
        byte[] data = secret.getBytes(StandardCharsets.UTF_8);
        return new HandleValue(index, "HS_SECKEY", data, Permissions.SECRET, Ttl.usual(), 0, List.of());
    }

    /** A request on its way: clear or not, with headers and body. */
    final class Asking {
        private final String method;
        private final String target;
        private final Map<String, List<String>> headers = new HashMap<>();
        private byte[] body = new byte[0];
        private boolean secure = true;
        private @Nullable X509Certificate certificate;
        private String peer = "127.0.0.1";

        Asking(String method, String target) {
            this.method = method;
            this.target = target;
        }

        Asking clear() {
            secure = false;
            return this;
        }

        Asking with(String name, String value) {
            headers.computeIfAbsent(name.toLowerCase(Locale.ROOT), _ -> new ArrayList<>()).add(value);
            return this;
        }

        Asking by(String user, String secret) {
            String both = user + ":" + secret;
            return with(
                    "Authorization", "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
        }

        Asking byAdmin() {
            return by("301%3A1234/ADMIN", SECRET);
        }

        Asking from(String address) {
            peer = address;
            return this;
        }

        Asking certified(X509Certificate shown) {
            certificate = shown;
            return this;
        }

        Asking json(String text) {
            return body("application/json", text);
        }

        Asking body(String type, String text) {
            body = text.getBytes(StandardCharsets.UTF_8);
            return with("Content-Type", type);
        }

        Answered answer() throws IOException {
            HttpRequest request = new HttpRequest(
                    method,
                    target,
                    headers,
                    body,
                    new InetSocketAddress(InetAddress.ofLiteral(peer), 1),
                    secure,
                    Optional.ofNullable(certificate));
            HttpResponse response = api.answer(request);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            switch (response.body()) {
                case HttpResponse.Bytes(byte[] bytes) -> out.writeBytes(bytes);
                case HttpResponse.Stream(HttpResponse.Writing writing) -> writing.write(out);
                case HttpResponse.Unchunked(HttpResponse.Writing writing, _) -> writing.write(out);
            }
            return new Answered(response, out.toString(StandardCharsets.UTF_8));
        }
    }

    /** An answer with its body as text. */
    record Answered(HttpResponse response, String text) {
        int status() {
            return response.status();
        }

        List<String> all(String name) {
            return response.headers().stream()
                    .filter(each -> each.getKey().equalsIgnoreCase(name))
                    .map(Map.Entry::getValue)
                    .toList();
        }

        String header(String name) {
            return String.join("; ", all(name));
        }

        JsonField json() throws Malformed {
            return JsonValue.read(text.getBytes(StandardCharsets.UTF_8)).whole();
        }
    }

    Asking ask(String method, String target) {
        return new Asking(method, target);
    }

    Asking get(String target) {
        return ask("GET", target);
    }

    @Override
    public void close() {
        store.close();
    }
}
