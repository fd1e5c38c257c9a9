package io.guidepost.server.console;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsException;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.server.admin.AdminPort;
import io.guidepost.store.RecordStore;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import io.guidepost.web.RequestParameters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pages of names: those that begin with a text, one record with its chain, and a change of its places. Versions are texts, as the
 * numbers of JavaScript have 53 bits.
 */
final class NamePages {
    private static final int PARAMETERS_MAX = 8;
    private static final int ROWS_MAX = 1000;
    private static final int ROWS_USUAL = 100;
    private static final int BINDINGS_MAX = 64;

    /** Names of one chain: what a screen shows, and a bound on reads of the disk. */
    private static final int CHAIN_MAX = 64;

    private final RecordStore store;
    private final Optional<InetSocketAddress> door;

    /**
     * Makes them.
     *
     * @param door where this server answers GNRS, whose rules hold for changes; empty if it does not
     */
    public NamePages(RecordStore store, Optional<InetSocketAddress> door) {
        this.store = store;
        this.door = door.map(each -> each.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), each.getPort())
                : each);
    }

    /** Adds the pages. A list of names tells more than a door does, so it needs the token; one record does not. */
    public void addTo(AdminPort port) {
        port.getGuarded("/names", this::names).get("/record", this::record).post("/record", this::change);
    }

    private HttpResponse names(String query) throws IOException {
        try {
            RequestParameters asked = RequestParameters.of(query, PARAMETERS_MAX);
            String prefix = asked.first("prefix", "");
            byte[] after = HexFormat.of().parseHex(asked.first("after", ""));
            int most = (int) asked.integer("most", 1, ROWS_MAX, ROWS_USUAL);
            List<Object> rows = new ArrayList<>();
            for (Name.Namespace each : List.of(Name.Namespace.GUID, Name.Namespace.HANDLE)) {
                if (rows.size() < most && (after.length == 0 || after[0] <= each.code())) {
                    byte[] from = after.length > 0 && after[0] == each.code() ? after : null;
                    scan(start(each, prefix), from, rows, most);
                }
            }
            return AdminPort.json(200, JsonWriter.object("names", rows, "more", rows.size() == most, "records", store.status().records()));
        } catch (Malformed | IllegalArgumentException e) {
            return AdminPort.error(400, String.valueOf(e.getMessage()));
        }
    }

    private void scan(byte[] start, byte @Nullable [] after, List<Object> rows, int most) throws IOException {
        store.scan(start, after, record -> {
            byte[] key = record.name().key();
            rows.add(JsonWriter.object(
                    "name", text(key),
                    "key", HexFormat.of().formatHex(key),
                    "kind", record.name().namespace().name().toLowerCase(Locale.ROOT),
                    "version", Long.toString(record.version()),
                    "places", record.bindings().size(),
                    "first", record.bindings().isEmpty() ? "" : told(record.bindings().getFirst().locator())));
            return rows.size() < most;
        });
    }

    /** The first bytes of keys: of a word, of hexadecimal digits behind 0x, of a handle. */
    private static byte[] start(Name.Namespace namespace, String prefix) {
        byte[] bytes;
        if (namespace == Name.Namespace.HANDLE) {
            bytes = prefix.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
        } else if (prefix.startsWith("0x")) {
            bytes = HexFormat.of().parseHex(prefix.substring(2, prefix.length() - prefix.length() % 2));
        } else {
            bytes = prefix.getBytes(StandardCharsets.UTF_8);
        }
        byte[] key = new byte[1 + bytes.length];
        key[0] = namespace.code();
        System.arraycopy(bytes, 0, key, 1, bytes.length);
        return key;
    }

    /** A key as people write it: the word where it is one, else hexadecimal digits. */
    static String text(byte[] key) {
        int end = key.length;
        if (key[0] == Name.Namespace.GUID.code()) {
            while (end > 1 && key[end - 1] == 0) {
                end--;
            }
        }
        for (int i = 1; i < end; i++) {
            if (key[0] == Name.Namespace.GUID.code() && (key[i] <= ' ' || key[i] > '~')) {
                return HexFormat.of().formatHex(key, 1, key.length);
            }
        }
        return new String(key, 1, end - 1, StandardCharsets.UTF_8);
    }

    private static String told(Locator locator) {
        return link(locator).map(each -> "guid:" + text(Name.of(each).key())).orElseGet(locator::toString);
    }

    private static Optional<Guid> link(Locator locator) {
        return locator.type() == Locator.Type.GUID.code() && locator.data().length == Guid.BYTES
                ? Optional.of(Guid.of(locator.data()))
                : Optional.empty();
    }

    private HttpResponse record(String query) throws IOException {
        try {
            String name = RequestParameters.of(query, PARAMETERS_MAX).first("name", "");
            return AdminPort.json(200, chain(Guid.parse(name)));
        } catch (Malformed e) {
            return AdminPort.error(400, String.valueOf(e.getMessage()));
        }
    }

    /** The record of a name, and those that it leads to, each once: a loop ends where it began. */
    private Map<String, Object> chain(Guid first) throws IOException {
        List<Object> records = new ArrayList<>();
        Deque<Guid> next = new ArrayDeque<>(List.of(first));
        Set<Guid> seen = new HashSet<>(next);
        while (!next.isEmpty() && records.size() < CHAIN_MAX) {
            Guid guid = next.remove();
            Optional<Record> found = store.get(Name.of(guid));
            List<Object> places = new ArrayList<>();
            for (Binding each : found.map(Record::bindings).orElse(List.of())) {
                Optional<Guid> link = link(each.locator());
                places.add(JsonWriter.object(
                        "place", told(each.locator()),
                        "ttlMillis", each.ttlMillis(),
                        "expiryMillis", each.expiryMillis(),
                        "to", link.map(to -> text(Name.of(to).key())).orElse("")));
                link.filter(seen::add).ifPresent(next::add);
            }
            records.add(JsonWriter.object(
                    "name", text(Name.of(guid).key()),
                    "guid", guid.toString(),
                    "found", found.isPresent(),
                    "version", Long.toString(found.map(Record::version).orElse(Record.ABSENT)),
                    "places", places));
        }
        return JsonWriter.object("now", System.currentTimeMillis(), "cut", !next.isEmpty(), "records", records);
    }

    /** Replaces the places of a name through the GNRS door: its writers, quotas and other servers have their say as with any client. */
    private HttpResponse change(String body) throws IOException {
        if (door.isEmpty()) {
            return AdminPort.error(409, "this server does not answer GNRS");
        }
        Guid guid;
        long version;
        List<Binding> bindings = new ArrayList<>();
        try {
            JsonField asked = JsonValue.read(body.getBytes(StandardCharsets.UTF_8)).whole();
            guid = Guid.parse(asked.member("name").text());
            version = Long.parseLong(asked.member("version").text());
            for (JsonField each : asked.member("places").elements(BINDINGS_MAX)) {
                bindings.add(new Binding(
                        Locator.parse(each.member("place").text()),
                        each.read("ttlMillis", 0L, field -> field.integer(0, Integer.MAX_VALUE)),
                        each.read("expiryMillis", 0L, field -> field.integer(0, Long.MAX_VALUE))));
            }
        } catch (Malformed | NumberFormatException e) {
            return AdminPort.error(400, String.valueOf(e.getMessage()));
        }
        long there = store.get(Name.of(guid)).map(Record::version).orElse(Record.ABSENT);
        if (there != version) {
            return AdminPort.error(409, "the record has changed since you read it: version " + there + ", not " + version);
        }
        try (GnrsClient client = GnrsClient.open(door.get())) {
            if (bindings.isEmpty()) {
                client.delete(guid);
            } else {
                client.update(guid, bindings);
            }
        } catch (GnrsException e) {
            return AdminPort.error(422, "the GNRS door refused it: " + e.getMessage());
        }
        return AdminPort.json(200, chain(guid));
    }
}
