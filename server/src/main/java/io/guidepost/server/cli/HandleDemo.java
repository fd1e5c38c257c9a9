package io.guidepost.server.cli;

import io.guidepost.handle.Handle;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.server.Server;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The handles of a demonstration: a prefix with an administrator, who has a key and a secret, and a few below it. */
public final class HandleDemo {
    /** The prefix, which no other server has. */
    public static final String PREFIX = "1234";

    /** Who administers it, by key. */
    public static final ValueReference BY_KEY = new ValueReference(Handle.ofPrefix(PREFIX), 300);

    /** Who administers it, by secret. */
    public static final ValueReference BY_SECRET = new ValueReference(Handle.ofPrefix(PREFIX), 301);

    /** That secret. */
    public static final String SECRET = "demonstration";

    private static final int ADMIN_INDEX = 100;
    private static final int SECRET_ADMIN_INDEX = 101;

    private HandleDemo() {}

    /** Settings of a server that answers for the prefix, and for the handles that describe prefixes. */
    public static List<String> settings() {
        return List.of(
                "handle.enabled=true",
                "handle.auto-homed=" + PREFIX + "," + Handle.PREFIX_OF_PREFIXES,
                "handle.server-admins=" + BY_KEY + "," + BY_SECRET,
                "handle.permit=prefix-admins,listing,client-certificates,server-admin-full-access");
    }

    /**
     * Writes the records, and makes the administrator's keys.
     *
     * @throws IOException if the store or the folder refuse
     */
    public static void fill(Server server) throws IOException {
        HandleRecords records = server.handleRecords().orElseThrow();
        byte[] key = PublicKeyRecord.of(
                        server.handleIdentity().orElseThrow().administrator().getPublic())
                .write();
        put(
                records,
                BY_KEY.handle(),
                admin(ADMIN_INDEX, BY_KEY),
                admin(SECRET_ADMIN_INDEX, BY_SECRET),
                HandleValue.of(BY_KEY.index(), "HS_PUBKEY", key),
                new HandleValue(
                        BY_SECRET.index(),
                        "HS_SECKEY",
                        SECRET.getBytes(StandardCharsets.UTF_8),
                        Permissions.SECRET,
                        Ttl.usual(),
                        0,
                        List.of()));
        put(
                records,
                Handle.of(PREFIX + "/library"),
                HandleValue.of(1, "URL", "https://library.example/catalogue"),
                HandleValue.of(2, "EMAIL", "desk@library.example"),
                admin(ADMIN_INDEX, BY_KEY));
        put(
                records,
                Handle.of(PREFIX + "/printer"),
                HandleValue.of(1, "URL", "http://10.1.2.3:631/"),
                HandleValue.of(2, "DESC", "the printer on the second floor"),
                admin(ADMIN_INDEX, BY_KEY));
    }

    private static HandleValue admin(int index, ValueReference who) {
        return HandleValue.of(index, "HS_ADMIN", new AdminRecord(AdminRight.ALL, who).write());
    }

    private static void put(HandleRecords records, Handle handle, HandleValue... values) throws IOException {
        records.change(handle, (current, nowSeconds) -> new RecordEdit.Next.Written(
                new HandleRecord(handle, Stream.of(values).map(each -> each.changedAt(nowSeconds)).toList()),
                current.isPresent()));
    }

    /** What to type next. */
    static String hints(Server server) {
        InetSocketAddress http = server.handleHttpAddresses().getFirst();
        return """
                  curl http://127.0.0.1:%1$d/api/handles/%2$s/library?pretty
                  curl -i http://127.0.0.1:%1$d/%2$s/library              (where a browser is sent)
                  curl -k -u '301%%3A0.NA/%2$s:%3$s' -X PUT -H 'Content-Type: application/json' \\
                       -d '[{"index":1,"type":"URL","data":"https://example.org/"}]' https://127.0.0.1:%1$d/api/handles/%2$s/mine
                """.formatted(http.getPort(), PREFIX, SECRET);
    }
}
