package io.guidepost.handle.service;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.AccessControl;
import io.guidepost.handle.operation.Administration;
import io.guidepost.handle.operation.Authenticator;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.operation.LocalResolver;
import io.guidepost.handle.operation.RecordTemplates;
import io.guidepost.handle.operation.RemoteResolver;
import io.guidepost.handle.operation.TestHandleSettings;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * A server of the prefix 1234 without a network, over a store without files: {@code 0.NA/1234} is administered by
 * 300:1234/ADMIN with all rights. The record 1234/ADMIN has its keys and those of others who have fewer rights or none:
 * 300 RSA, 301 secret, 302 DSA, 310 RSA of nobody; and in 200 the group of 300 and 301.
 */
public final class TestHandleServer implements AutoCloseable {
    public static final Handle ADMIN = Handle.of("1234/ADMIN");
    public static final ValueReference RSA = new ValueReference(ADMIN, 300);
    public static final ValueReference SECRET = new ValueReference(ADMIN, 301);
    public static final ValueReference DSA = new ValueReference(ADMIN, 302);
    static final ValueReference NOBODY = new ValueReference(ADMIN, 310);
    public static final ValueReference GROUP = new ValueReference(ADMIN, 200);
    public static final byte[] SECRET_KEY = "secret".getBytes(StandardCharsets.UTF_8);
    public static final KeyPair RSA_KEYS = pair("RSA", 2048);
    public static final KeyPair DSA_KEYS = pair("DSA", 1024);
    public static final KeyPair NOBODY_KEYS = pair("RSA", 2048);
    public static final KeyPair SERVER_KEYS = pair("RSA", 2048);

    public final AtomicLong millis = new AtomicLong(System.currentTimeMillis());
    final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());
    final EmbeddedStore store;
    public final HandleSettings settings;
    public final HandleRecords records;
    final HomedPrefixes homes;
    public final AccessControl rights;
    public final Authenticator identities;
    public final Administration administration;
    public final HandleProtocolServer service;
    final List<RequestListener.Entry> journal = Collections.synchronizedList(new ArrayList<>());
    public final SecureRandom random = new SecureRandom();

    public TestHandleServer() throws IOException {
        this(UnaryOperator.identity(), RemoteResolver.NONE);
    }

    public TestHandleServer(UnaryOperator<TestHandleSettings> change, RemoteResolver remote) throws IOException {
        this(change, remote, SERVER_KEYS, ReplicationSource.NONE);
    }

    TestHandleServer(
            UnaryOperator<TestHandleSettings> change, RemoteResolver remote, KeyPair keys, ReplicationSource replication)
            throws IOException {
        store = EmbeddedStore.open(StoreOptions.inMemory().withClock(clock));
        settings = change.apply(TestHandleSettings.of(site(keys.getPublic(), 2641), 1, keys)
                .withAutoHomed(List.of(Handle.of("0.NA/1234")))
                .withServerAdmins(List.of(RSA)))
                .settings();
        records = new HandleRecords(store, settings.caseSensitive());
        homes = new HomedPrefixes(store);
        rights = new AccessControl(settings, records, remote);
        identities = new Authenticator(settings, records, remote);
        administration = new Administration(settings, records, homes, rights, random);
        for (Handle each : settings.autoHomed()) {
            homes.home(each);
        }
        service = new HandleProtocolServer(
                settings,
                new LocalResolver(settings, records, homes, rights, remote, RecordTemplates.NONE, clock),
                administration,
                rights,
                identities,
                replication,
                (_, entry) -> journal.add(entry),
                new CpuQuota(clock, 2),
                clock,
                random);
        put(Handle.of("0.NA/1234"), admin(100, RSA, AdminRight.ALL));
        put(
                ADMIN,
                admin(100, RSA, AdminRight.ALL),
                new HandleValue(
                        200,
                        "HS_VLIST",
                        new IdentityList(List.of(RSA, SECRET)).write(),
                        Permissions.USUAL,
                        Ttl.usual(),
                        0,
                        List.of()),
                HandleValue.of(300, "HS_PUBKEY", PublicKeyRecord.of(RSA_KEYS.getPublic()).write()),
                new HandleValue(301, "HS_SECKEY", SECRET_KEY, Permissions.SECRET, Ttl.usual(), 0, List.of()),
                HandleValue.of(302, "HS_PUBKEY", PublicKeyRecord.of(DSA_KEYS.getPublic()).write()),
                HandleValue.of(310, "HS_PUBKEY", PublicKeyRecord.of(NOBODY_KEYS.getPublic()).write()));
    }

    public static KeyPair pair(String algorithm, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    public static SiteRecord site(PublicKey key, int port) {
        List<SiteInterface> interfaces = List.of(
                new SiteInterface(true, true, SiteInterface.Transport.TCP, port));
        SiteServer server = new SiteServer(
                1,
                SiteServer.address(InetAddress.getLoopbackAddress()),
                PublicKeyRecord.of(key).write(),
                interfaces);
        return new SiteRecord(
                2, 11, 1, true, false, SiteRecord.Hash.HANDLE, new byte[0], List.of(), List.of(server));
    }

    public static HandleValue admin(int index, ValueReference who, int rights) {
        return HandleValue.of(index, "HS_ADMIN", new AdminRecord(rights, who).write());
    }

    public static HandleValue url(int index, String text) {
        return HandleValue.of(index, "URL", text);
    }

    /** Writes a record, whoever may. */
    public void put(Handle handle, HandleValue... values) throws IOException {
        records.change(handle, (_, now) -> new RecordEdit.Next.Written(
                new HandleRecord(
                        handle, List.of(values).stream().map(each -> each.changedAt(now)).toList()),
                false));
    }

    public HandleRecord record(String handle) throws IOException {
        return records.find(Handle.of(handle)).orElseThrow(() -> new AssertionError("there is no " + handle));
    }

    public boolean exists(String handle) throws IOException {
        return records.find(Handle.of(handle)).isPresent();
    }

    /** What comes back for a message over TCP from the loopback address. */
    List<byte[]> send(byte[] message) {
        return send(message, HandleRequest.Transport.TCP, true);
    }

    List<byte[]> send(byte[] message, HandleRequest.Transport transport, boolean administration) {
        return send(message, transport, InetAddress.getLoopbackAddress(), administration);
    }

    private List<byte[]> send(byte[] message, HandleRequest.Transport transport, InetAddress from, boolean administration) {
        List<byte[]> answers = new ArrayList<>();
        InetSocketAddress peer = new InetSocketAddress(from, 4711);
        service.answer(new HandleRequest(message, transport, peer, administration), (answer, _) -> answers.add(answer));
        return answers;
    }

    /** The one answer to a message. */
    HandleMessage ask(HandleMessage message) throws Malformed {
        return HandleMessage.read(only(send(message.write())));
    }

    /** The one answer to a message from an address. */
    HandleMessage ask(HandleMessage message, InetAddress from) throws Malformed {
        return HandleMessage.read(only(send(message.write(), HandleRequest.Transport.TCP, from, true)));
    }

    static byte[] only(List<byte[]> answers) {
        if (answers.size() != 1) {
            throw new AssertionError(answers.size() + " answers");
        }
        return answers.getFirst();
    }

    static ResponseCode code(HandleMessage answer) {
        return answer.responseCode().orElseThrow();
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
