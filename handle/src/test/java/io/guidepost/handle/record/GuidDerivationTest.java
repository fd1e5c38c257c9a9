package io.guidepost.handle.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.Ttl;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handles whose places a GUID has. */
class GuidDerivationTest {
    private static final Handle HANDLE = Handle.of("10.5/Thing");

    @TempDir
    Path folder;

    private final GuidDerivation places = new GuidDerivation(false);

    private EmbeddedStore open(RecordStore.Derivation derivation) throws IOException {
        return EmbeddedStore.open(StoreOptions.in(folder.resolve("store")).withDerivation(derivation));
    }

    private static void put(HandleRecords records, Handle handle, HandleValue... values) throws IOException {
        HandleRecord record = new HandleRecord(handle, List.of(values));
        records.change(handle, (current, now) -> new RecordEdit.Next.Written(record, current.isPresent()));
    }

    private static void delete(HandleRecords records, Handle handle) throws IOException {
        records.change(handle, (current, now) -> new RecordEdit.Next.Deleted());
    }

    private static List<String> found(RecordStore store, Handle handle) throws IOException {
        return store.get(Name.of(handle.guid())).map(Record::bindings).orElse(List.of()).stream()
                .map(each -> each.locator() + " " + each.ttlMillis())
                .toList();
    }

    private static HandleValue locations(int index, String xml) {
        return HandleValue.of(index, "10320/LOC", xml);
    }

    private static HandleValue with(HandleValue value, Permissions permissions, Ttl ttl) {
        return new HandleValue(value.index(), value.type(), value.data(), permissions, ttl, 0, List.of());
    }

    @Test
    void aGuidHasThePlacesOfItsHandle() throws IOException {
        try (EmbeddedStore store = open(places)) {
            HandleRecords records = new HandleRecords(store, false);
            put(
                    records,
                    HANDLE,
                    HandleValue.of(7, "HS_ALIAS", "10.5/other"),
                    with(HandleValue.of(1, "url", "https://a.example/"), Permissions.USUAL, new Ttl.Relative(60)),
                    HandleValue.of(2, "EMAIL", "me@a.example"),
                    locations(3, "<locations><location href='https://b.example/'/><location id='x'/></locations>"),
                    with(HandleValue.of(4, "URL", "https://secret.example/"), Permissions.SECRET, Ttl.usual()),
                    HandleValue.of(5, "INET_HOST", "192.0.2.1"),
                    HandleValue.of(6, "INET_HOST", "2001:db8::1"),
                    HandleValue.of(8, "URL", "https://a.example/"));
            assertThat(found(store, Handle.of("10.5/THING")))
                    .containsExactly(
                            "https://a.example/ 60000",
                            "https://b.example/ 86400000",
                            "192.0.2.1:0 86400000",
                            "[2001:db8::1]:0 86400000",
                            "guid:" + Handle.of("10.5/OTHER").guid() + " 86400000");
            put(records, HANDLE, HandleValue.of(1, "URL", "https://c.example/"));
            assertThat(found(store, HANDLE)).containsExactly("https://c.example/ 86400000");
            delete(records, HANDLE);
            assertThat(store.get(Name.of(HANDLE.guid()))).isEmpty();
            assertThat(places.counts().get(GuidDerivationCount.GUID_RECORDS_WRITTEN)).isEqualTo(2);
            assertThat(places.counts().get(GuidDerivationCount.GUID_RECORDS_REMOVED)).isEqualTo(1);
        }
    }

    @Test
    void aHandleWithoutPlacesHasNoGuid() throws IOException {
        try (EmbeddedStore store = open(places)) {
            HandleRecords records = new HandleRecords(store, false);
            put(records, HANDLE, HandleValue.of(1, "EMAIL", "me@a.example"));
            assertThat(store.get(Name.of(HANDLE.guid()))).isEmpty();
            put(records, HANDLE, HandleValue.of(1, "URL", "https://c.example/"));
            put(records, HANDLE, HandleValue.of(1, "INET_HOST", "www.example.org"));
            assertThat(store.get(Name.of(HANDLE.guid()))).isEmpty();
            assertThat(places.counts().get(GuidDerivationCount.IGNORED_LOCATION_VALUES)).isEqualTo(1);
        }
    }

    @Test
    void whatSomebodyBoundIsLeftAsItIs() throws IOException {
        try (EmbeddedStore store = open(places)) {
            HandleRecords records = new HandleRecords(store, false);
            Name guid = Name.of(HANDLE.guid());
            Binding own = Binding.of(Locator.of(new java.net.InetSocketAddress("192.0.2.7", 9)));
            store.put(new Record(guid, Record.ABSENT, List.of(own), List.of()), Record.ABSENT);
            put(records, HANDLE, HandleValue.of(1, "URL", "https://c.example/"));
            assertThat(found(store, HANDLE)).containsExactly("192.0.2.7:9 0");
            delete(records, HANDLE);
            assertThat(found(store, HANDLE)).containsExactly("192.0.2.7:9 0");
            assertThat(places.counts().get(GuidDerivationCount.GUID_RECORDS_KEPT_FOREIGN)).isEqualTo(1);
            store.delete(guid);
            put(records, HANDLE, HandleValue.of(1, "URL", "https://c.example/"));
            assertThat(found(store, HANDLE)).containsExactly("https://c.example/ 86400000");
        }
    }

    @Test
    void thereAreNoMorePlacesThanAGuidHasRoomFor() {
        List<HandleValue> values = new ArrayList<>();
        for (int i = 1; i <= 1100; i++) {
            values.add(HandleValue.of(i, "URL", "https://a.example/" + i));
        }
        assertThat(places.places(new HandleRecord(HANDLE, values))).hasSize(1024);
        assertThat(places.counts().get(GuidDerivationCount.OMITTED_LOCATORS)).isEqualTo(76);
        List<HandleValue> longOnes = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            longOnes.add(HandleValue.of(i, "URL", "https://a.example/" + i + "/" + "x".repeat(2000)));
        }
        assertThat(places.places(new HandleRecord(HANDLE, longOnes))).hasSize(29);
        assertThat(places.places(new HandleRecord(HANDLE, List.of(HandleValue.of(1, "URL", "x".repeat(2049))))))
                .isEmpty();
    }

    @Test
    void aTimeThatGnrsCannotSayIsShort() {
        HandleValue url = HandleValue.of(1, "URL", "https://a.example/");
        for (Ttl each : List.of(new Ttl.Relative(0), new Ttl.Until(4_000_000_000L))) {
            assertThat(places.places(new HandleRecord(HANDLE, List.of(with(url, Permissions.USUAL, each)))))
                    .extracting(Binding::ttlMillis, Binding::expiryMillis)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple(1000L, 0L));
        }
    }

    @Test
    void hostsAreAddressesWithOrWithoutPort() {
        String[][] forms = {
            {"192.0.2.1", "192.0.2.1:0"},
            {"192.0.2.1:80", "192.0.2.1:80"},
            {"::1", "[::1]:0"},
            {"[::1]", "[::1]:0"},
            {"[::1]:80", "[::1]:80"}
        };
        for (String[] each : forms) {
            assertThat(places.places(new HandleRecord(HANDLE, List.of(HandleValue.of(1, "INET_HOST", each[0])))))
                    .as(each[0])
                    .extracting(binding -> binding.locator().toString())
                    .containsExactly(each[1]);
        }
        for (String each : List.of("", "host", "host:80", "1", ":", "192.0.2.1:x", "guid:x", "http://a/")) {
            assertThat(places.places(new HandleRecord(HANDLE, List.of(HandleValue.of(1, "INET_HOST", each)))))
                    .as(each)
                    .isEmpty();
        }
    }

    @Test
    void whereCaseCountsEachSpellingHasItsGuid() throws IOException {
        try (EmbeddedStore store = open(new GuidDerivation(true))) {
            HandleRecords records = new HandleRecords(store, true);
            put(records, Handle.of("10.5/a"), HandleValue.of(1, "URL", "https://small.example/"));
            put(records, Handle.of("10.5/A"), HandleValue.of(1, "URL", "https://large.example/"));
            assertThat(found(store, Handle.of("10.5/A"))).containsExactly("https://large.example/ 86400000");
            Guid small = GuidDerivation.guid(records.key(Handle.of("10.5/a")).orElseThrow().key());
            Optional<Record> found = store.get(Name.of(small));
            assertThat(found.orElseThrow().bindings().getFirst().locator()).hasToString("https://small.example/");
            delete(records, Handle.of("10.5/a"));
            assertThat(found(store, Handle.of("10.5/A"))).hasSize(1);
        }
    }

    @Test
    void severalDerivationsAreOne() throws IOException {
        List<String> heard = new ArrayList<>();
        Thread maker = Thread.currentThread();
        RecordStore.Derivation second = (key, before, after, also) -> {
            assertThat(Thread.currentThread()).as("the committer leaves it to the thread that changes a handle").isSameAs(maker);
            heard.add(after == null ? "gone" : "there");
        };
        try (EmbeddedStore store = open(places.and(second))) {
            HandleRecords records = new HandleRecords(store, false);
            put(records, HANDLE, HandleValue.of(1, "URL", "https://c.example/"));
            delete(records, HANDLE);
        }
        assertThat(heard).containsExactly("there", "gone");
        assertThat(places.counts().get(GuidDerivationCount.GUID_RECORDS_REMOVED)).isEqualTo(1);
    }
}
