package io.guidepost.handle.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handles in a store: as they were put, found by any spelling, listed in order, at home or not. */
final class HandleRecordsTest {
    private static final HandleValue URL = HandleValue.of(2, "URL", "https://example.org/");
    private static final HandleValue SECRET = new HandleValue(
            1, "HS_SECKEY", new byte[] {7}, Permissions.SECRET, new Ttl.Until(99), 5, List.of(
                    new ValueReference(Handle.of("1/x"), 3)));

    @TempDir
    Path folder;

    private RecordStore store;
    private HandleRecords records;

    @BeforeEach
    void open() throws IOException {
        store = EmbeddedStore.open(StoreOptions.in(folder.resolve("store"))
                .withDurability(RecordStore.Durability.OS)
                .withIndexBytesMax(16 << 20));
        records = new HandleRecords(store, false);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void put(String handle, HandleValue... values) throws IOException {
        HandleRecord record = new HandleRecord(Handle.of(handle), List.of(values));
        assertThat(records.change(record.handle(), (current, now) -> new RecordEdit.Next.Written(record, false)))
                .isInstanceOf(RecordEdit.Next.Written.class);
    }

    @Test
    void whatWasPutIsFoundByAnySpelling() throws IOException {
        put("10.5/aBc", URL, SECRET);

        HandleRecord found = records.find(Handle.of("10.5/AbC")).orElseThrow();

        assertThat(found.handle()).hasToString("10.5/aBc");
        assertThat(found.values()).containsExactly(SECRET, URL);
        assertThat(records.find(Handle.of("10.5/abcd"))).isEmpty();
    }

    @Test
    void thePublicPartIsWhatAnAnswerHolds() throws Malformed {
        byte[] key = Handle.of("10.5/A").name(false).key();
        byte[] image = StoredHandleRecord.write(key, 3, new HandleRecord(Handle.of("10.5/A"), List.of(URL, SECRET)));
        MemorySegment in = MemorySegment.ofArray(image);
        WireReader part =
                new WireReader(in, StoredHandleRecord.publicPart(in, 0), StoredHandleRecord.publicBytes(in, 0));

        assertThat(HandleValue.readList(part)).containsExactly(URL);
        part.end();
        assertThat(StoredHandleRecord.otherValues(in, 0)).isEqualTo(1);
        assertThat(StoredHandleRecord.read(image)).isEqualTo(new HandleRecord(Handle.of("10.5/A"), List.of(SECRET, URL)));
    }

    @Test
    void aCutOffRecordIsMalformed() throws Malformed {
        byte[] key = Handle.of("10.5/a").name(false).key();
        byte[] image = StoredHandleRecord.write(key, 3, new HandleRecord(Handle.of("10.5/a"), List.of(URL, SECRET)));
        for (int length = image.length - 1; length >= image.length - 60; length--) {
            byte[] cut = Arrays.copyOf(image, length);
            ByteBuffer.wrap(cut).putInt(4, length);
            assertThatThrownBy(() -> StoredHandleRecord.read(cut)).isInstanceOf(Malformed.class);
        }
    }

    @Test
    void anEditSeesWhatIsThereAndMayRefuse() throws IOException {
        put("10.5/a", URL);

        RecordEdit.Next refused = records.change(Handle.of("10.5/A"), (current, now) -> {
            assertThat(current.orElseThrow().values()).containsExactly(URL);
            return new RecordEdit.Next.Refused(ResponseCode.HANDLE_EXISTS, "there already");
        });

        assertThat(refused).isEqualTo(new RecordEdit.Next.Refused(ResponseCode.HANDLE_EXISTS, "there already"));
        records.change(Handle.of("10.5/A"), (current, now) -> new RecordEdit.Next.Deleted());
        assertThat(records.find(Handle.of("10.5/a"))).isEmpty();
    }

    @Test
    void aScanGoesOverAPrefixInOrderHoweverManyThereAre() throws IOException {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 1100; i++) {
            String name = "10.5/" + String.format("%04d", i);
            put(name, URL);
            expected.add(name);
        }
        put("10.4/z", URL);
        put("10.50/a", URL);
        put("10.6/a", URL);

        List<String> seen = new ArrayList<>();
        records.scan("10.5/".getBytes(StandardCharsets.UTF_8), null, each -> seen.add(each.handle().toString()));
        List<String> rest = new ArrayList<>();
        records.scan(
                "10.5/".getBytes(StandardCharsets.UTF_8),
                Handle.of("10.5/1098"),
                each -> rest.add(each.handle().toString()));

        assertThat(seen).isEqualTo(expected);
        assertThat(rest).containsExactly("10.5/1099");
    }

    @Test
    void homesOutliveTheServer() throws IOException {
        HomedPrefixes homes = new HomedPrefixes(store);
        assertThat(homes.home(Handle.of("0.na/10.5"))).isTrue();
        assertThat(homes.home(Handle.of("0.NA/10.5"))).isFalse();
        assertThat(homes.home(Handle.of("0.NA/11"))).isTrue();
        assertThat(homes.unhome(Handle.of("0.NA/11"))).isTrue();

        HomedPrefixes again = new HomedPrefixes(store);

        assertThat(again.all()).containsExactly("0.NA/10.5");
        assertThat(again.has(Handle.of("10.5/x"))).isTrue();
        assertThat(again.has(Handle.of("11/x"))).isFalse();
        assertThat(again.has(Handle.of("10.50/x"))).isFalse();
    }

    @Test
    void theLongestHandleHasARecord() throws IOException {
        String longest = "1/" + "x".repeat(HandleLimits.HANDLE_BYTES_MAX - 2);
        put(longest, URL);
        assertThat(records.find(Handle.of(longest))).isPresent();
    }
}
