package io.guidepost.handle.service;

import io.guidepost.handle.AdminRecord;
import io.guidepost.handle.AdminRight;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.IdentityList;
import io.guidepost.handle.Permissions;
import io.guidepost.handle.SiteInterface;
import io.guidepost.handle.SiteRecord;
import io.guidepost.handle.SiteServer;
import io.guidepost.handle.Ttl;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.Message;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.Edit;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.Homes;
import io.guidepost.handle.record.Records;
import io.guidepost.names.Malformed;
import io.guidepost.store.EmbeddedStore;
import io.guidepost.store.StoreOptions;
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
final class TestServer implements AutoCloseable {
    static final Handle ADMIN = Handle.of("1234/ADMIN");
    static final ValueReference RSA = new ValueReference(ADMIN, 300);
    static final ValueReference SECRET = new ValueReference(ADMIN, 301);
    static final ValueReference DSA = new ValueReference(ADMIN, 302);
    static final ValueReference NOBODY = new ValueReference(ADMIN, 310);
    static final ValueReference GROUP = new ValueReference(ADMIN, 200);
    static final byte[] SECRET_KEY = "secret".getBytes(StandardCharsets.UTF_8);
    static final KeyPair RSA_KEYS = pair("RSA", 2048);
    static final KeyPair DSA_KEYS = pair("DSA", 1024);
    static final KeyPair NOBODY_KEYS = pair("RSA", 2048);
    static final KeyPair SERVER_KEYS = pair("RSA", 2048);

    final AtomicLong millis = new AtomicLong(System.currentTimeMillis());
    final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());
    final EmbeddedStore store;
    final HandleSettings settings;
    final Records records;
    final Homes homes;
    final Rights rights;
    final Identities identities;
    final Administration administration;
    final HandleService service;
    final List<Journal.Entry> journal = Collections.synchronizedList(new ArrayList<>());
    final SecureRandom random = new SecureRandom();

    TestServer() throws IOException {
        this(UnaryOperator.identity(), RemoteHandles.NONE);
    }

    TestServer(UnaryOperator<HandleSettings> change, RemoteHandles remote) throws IOException {
        this(change, remote, SERVER_KEYS, ReplicationSource.NONE);
    }

    TestServer(
            UnaryOperator<HandleSettings> change, RemoteHandles remote, KeyPair keys, ReplicationSource replication)
            throws IOException {
        store = EmbeddedStore.open(StoreOptions.inMemory().withClock(clock));
        settings = change.apply(HandleSettings.of(site(keys.getPublic(), 2641), 1, keys)
                .withAutoHomed(List.of(Handle.of("0.NA/1234")))
                .withServerAdmins(List.of(RSA)));
        records = new Records(store, settings.caseSensitive());
        homes = new Homes(store);
        rights = new Rights(settings, records, remote);
        identities = new Identities(settings, records, remote);
        administration = new Administration(settings, records, homes, rights, random);
        administration.start();
        service = new HandleService(
                settings,
                new Resolution(settings, records, homes, rights, remote, Templates.NONE, clock),
                administration,
                rights,
                identities,
                replication,
                (_, entry) -> journal.add(entry),
                new Effort(clock, 2),
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

    static KeyPair pair(String algorithm, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    static SiteRecord site(PublicKey key, int port) {
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

    static HandleValue admin(int index, ValueReference who, int rights) {
        return HandleValue.of(index, "HS_ADMIN", new AdminRecord(rights, who).write());
    }

    static HandleValue url(int index, String text) {
        return HandleValue.of(index, "URL", text);
    }

    /** Writes a record, whoever may. */
    void put(Handle handle, HandleValue... values) throws IOException {
        records.change(handle, (_, now) -> new Edit.Next.Written(
                new HandleRecord(
                        handle, List.of(values).stream().map(each -> each.changedAt(now)).toList()),
                false));
    }

    HandleRecord record(String handle) throws IOException {
        return records.find(Handle.of(handle)).orElseThrow(() -> new AssertionError("there is no " + handle));
    }

    boolean exists(String handle) throws IOException {
        return records.find(Handle.of(handle)).isPresent();
    }

    /** What comes back for a message over TCP from the loopback address. */
    List<byte[]> send(byte[] message) {
        return send(message, Call.Transport.TCP, true);
    }

    List<byte[]> send(byte[] message, Call.Transport transport, boolean administration) {
        List<byte[]> answers = new ArrayList<>();
        InetSocketAddress peer = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
        service.answer(new Call(message, transport, peer, administration), (answer, _) -> answers.add(answer));
        return answers;
    }

    /** The one answer to a message. */
    Message ask(Message message) throws Malformed {
        return Message.read(only(send(message.write())));
    }

    static byte[] only(List<byte[]> answers) {
        if (answers.size() != 1) {
            throw new AssertionError(answers.size() + " answers");
        }
        return answers.getFirst();
    }

    static ResponseCode code(Message answer) {
        return answer.responseCode().orElseThrow();
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
