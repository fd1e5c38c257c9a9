package io.guidepost.handle.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.RandomValues;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moving in and out: what an export writes, an import reads, byte for byte. */
class ImportExportTest {
    private static final ClassLoader DRIVERS = ImportExportTest.class.getClassLoader();

    @TempDir
    private Path folder;

    private final List<String> told = new ArrayList<>();

    /** A store with what is in it. */
    private static final class Held implements AutoCloseable {
        final RecordStore store;
        final HandleRecords records;
        final HomedPrefixes homes;

        Held() throws IOException {
            store = EmbeddedStore.open(StoreOptions.inMemory());
            records = new HandleRecords(store, false);
            homes = new HomedPrefixes(store);
        }

        Map<String, HandleRecord> all() throws IOException {
            TreeMap<String, HandleRecord> all = new TreeMap<>();
            records.scan(new byte[0], null, each -> all.put(each.handle().toString(), each) == null);
            return all;
        }

        @Override
        public void close() {
            store.close();
        }
    }

    private ImportReport run(Held into, ImportSource source) throws IOException {
        ImportReport report = new ImportReport(told::add);
        try (source) {
            new HandleImport(into.records, into.homes, false, report).run(source, (_, _) -> {});
        }
        return report;
    }

    private ImportReport importText(Held into, String name, String text) throws IOException {
        return run(into, ImportSource.open(Files.writeString(folder.resolve(name), text)));
    }

    private static List<HandleRecord> random(SplittableRandom random, int count) {
        List<HandleRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<HandleValue> values = new ArrayList<>();
            for (int index = 1; index <= 1 + random.nextInt(4); index++) {
                HandleValue any = RandomValues.value(random);
                values.add(new HandleValue(
                        index,
                        List.of("URL", "HS_ADMIN", "HS_VLIST", "HS_SITE", "HS_PUBKEY", "x.y").get(random.nextInt(6)),
                        data(random, any.data()),
                        new Permissions(any.permissions().bits() & 0xf),
                        any.ttl(),
                        any.changedSeconds(),
                        random.nextBoolean() ? List.of() : List.of(new ValueReference(Handle.of("10.5/ä b"), 3))));
            }
            records.add(new HandleRecord(Handle.of("10." + random.nextInt(9) + "/" + RandomValues.text(random) + i), values));
        }
        return records;
    }

    private static byte[] data(SplittableRandom random, byte[] any) {
        return switch (random.nextInt(5)) {
            case 0 -> any;
            case 1 -> new AdminRecord(random.nextInt(1 << 16), RandomValues.reference(random)).write();
            case 2 -> RandomValues.site(random).write();
            case 3 -> "two\nlines \t ü".getBytes(StandardCharsets.UTF_8);
            default -> "http://e.x/?a=b&c=\"d\"\\".getBytes(StandardCharsets.UTF_8);
        };
    }

    @Test
    void emptyRecordsAndNegativeTtlsAreLeftOutEachWithItsLine() throws IOException {
        try (Held held = new Held()) {
            ImportReport dump = importText(held, "dump.json", """
                    {"handle":"10.5/empty","values":[]}
                    {"handle":"10.5/none"}
                    {"handle":"10.5/negative","values":[
                     {"index":1,"type":"URL","data":"x",
                      "ttl":-5}]}
                    {"handle":"10.5/zero","values":[{"index":1,"type":"URL","data":"x","ttl":0}]}
                    """);
            ImportReport batch = importText(held, "some.batch", """
                    CREATE 10.5/empty

                    CREATE 10.5/negative
                    1 URL 86400 1110 UTF8 x
                    2 URL -5 1110 UTF8 y
                    """);
            assertThat(held.all()).containsOnlyKeys("10.5/zero");
            assertThat(dump.get(ImportReport.Count.SKIPPED) + batch.get(ImportReport.Count.SKIPPED)).isEqualTo(5);
            assertThat(told.stream().map(each -> each.substring(each.lastIndexOf('/', each.indexOf(": ")) + 1)))
                    .containsExactly(
                            "dump.json:1: 10.5/empty: the record has no values",
                            "dump.json:2: values is missing",
                            "dump.json:5: values[0].ttl is an integer from 0 to 4294967295",
                            "some.batch:1: no value lines follow",
                            "some.batch:5: a TTL is whole seconds, 0 or more, not '-5'");
        }
    }

    @Test
    void dumpsHoldRecordsByteForByte() throws Exception {
        SplittableRandom random = new SplittableRandom(5);
        Path file = folder.resolve("dump.json");
        try (Held one = new Held();
                Held other = new Held()) {
            one.homes.home(Handle.of("0.NA/10.5"));
            one.homes.home(Handle.of("0.NA/10.6"));
            List<HandleRecord> records = random(random, 2000);
            run(one, of(records));
            try (JsonDumpWriter out = JsonDumpWriter.create(file)) {
                new HandleExport(one.records, one.homes).run(Optional.empty(), out, (_, why) -> told.add(why), _ -> {});
            }
            ImportReport report = run(other, ImportSource.open(file));
            assertThat(told).isEmpty();
            assertThat(other.all()).isEqualTo(one.all()).hasSize(2000);
            assertThat(other.homes.all()).containsExactly("0.NA/10.5", "0.NA/10.6");
            assertThat(report.get(ImportReport.Count.CREATED)).isEqualTo(2000);
            assertThat(report.get(ImportReport.Count.HOMED)).isEqualTo(2);
            assertThat(run(other, ImportSource.open(file)).get(ImportReport.Count.UNCHANGED)).isEqualTo(2000);
        }
    }

    @Test
    void batchFilesHoldAllButTimes() throws Exception {
        SplittableRandom random = new SplittableRandom(6);
        Path file = folder.resolve("records.batch");
        try (Held one = new Held();
                Held other = new Held()) {
            run(one, of(random(random, 500)));
            one.homes.home(Handle.of("0.NA/10.5"));
            try (BatchFileWriter out = BatchFileWriter.create(file)) {
                new HandleExport(one.records, one.homes).run(Optional.empty(), out, (_, why) -> told.add(why), _ -> {});
            }
            run(other, ImportSource.open(file));
            assertThat(told).isEmpty();
            assertThat(other.homes.all()).containsExactly("0.NA/10.5");
            assertThat(timeless(other)).isEqualTo(timeless(one)).hasSize(500);
        }
    }

    private static List<String> timeless(Held held) throws IOException {
        List<String> texts = new ArrayList<>();
        for (HandleRecord each : held.all().values()) {
            StringBuilder text = new StringBuilder(each.handle().toString());
            for (HandleValue value : each.values()) {
                text.append(' ').append(value).append(Arrays.hashCode(value.data()));
                text.append(value.ttl() instanceof Ttl.Relative relative ? relative.seconds() : Ttl.DAY);
            }
            texts.add(text.toString());
        }
        return texts;
    }

    private static ImportSource of(List<HandleRecord> records) {
        return new ImportSource() {
            private int next;

            @Override
            public String identity() {
                return "a list";
            }

            @Override
            public Optional<ImportItem> next() {
                return next == records.size()
                        ? Optional.empty()
                        : Optional.of(new ImportItem.Of("row " + next, new ImportStep.Put(records.get(next++))));
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void anImportThatBreaksOffGoesOnWhereItWas() throws Exception {
        List<HandleRecord> records = random(new SplittableRandom(7), 1000);
        try (Held held = new Held()) {
            int[] given = new int[1];
            ImportSource breaking = new ImportSource() {
                private final ImportSource all = of(records);

                @Override
                public String identity() {
                    return all.identity();
                }

                @Override
                public Optional<ImportItem> next() throws IOException {
                    if (given[0]++ == 750) {
                        throw new IOException("the disk is gone");
                    }
                    return all.next();
                }

                @Override
                public void close() {}
            };
            ImportReport first = new ImportReport(told::add);
            assertThatThrownBy(() -> new HandleImport(held.records, held.homes, false, first, 100).run(breaking, (_, _) -> {}))
                    .hasMessage("the disk is gone");
            ImportReport second = new ImportReport(told::add);
            HandleImport again = new HandleImport(held.records, held.homes, false, second, 100);
            assertThat(again.done(of(records))).isEqualTo(700);
            again.run(of(records), (_, _) -> {});
            assertThat(second.resumedCount()).isEqualTo(700);
            assertThat(second.get(ImportReport.Count.CREATED) + second.get(ImportReport.Count.UNCHANGED)).isEqualTo(300);
            assertThat(held.all()).hasSize(1000);
            assertThat(again.done(of(records))).isZero();
        }
    }

    @Test
    void stepsOfABatchAreDoneInTheirOrder() throws Exception {
        try (Held held = new Held()) {
            ImportReport report = importText(held, "b", """
                    CREATE 10.5/a
                    1 URL 86400 1110 UTF8 http://e.x/1
                    ADD 10.5/a
                    2 EMAIL 86400 1110 UTF8 a@e.x
                    MODIFY 10.5/a
                    1 URL 86400 1110 UTF8 http://e.x/2
                    REMOVE 2:10.5/a
                    CREATE 10.5/a
                    1 URL 86400 1110 UTF8 http://e.x/3
                    CREATE 10.5/b
                    1 URL 86400 1110 UTF8 http://e.x/4
                    DELETE 10.5/b
                    DELETE 10.5/none
                    ADD 10.5/a
                    1 URL 86400 1110 UTF8 http://e.x/5
                    """);
            HandleRecord record = held.records.find(Handle.of("10.5/A")).orElseThrow();
            assertThat(record.values()).hasSize(1);
            assertThat(new String(record.values().getFirst().data(), StandardCharsets.UTF_8)).isEqualTo("http://e.x/2");
            assertThat(held.all()).hasSize(1);
            assertThat(report.get(ImportReport.Count.SKIPPED)).isEqualTo(3);
            assertThat(told).anyMatch(each -> each.endsWith("b:8: 10.5/a: the handle exists"));
            assertThat(told).anyMatch(each -> each.endsWith("b:13: 10.5/none: no such handle"));
        }
    }

    @Test
    void dumpsOfAllFormsAreReadAndFaultsToldByLine() throws Exception {
        String record = "{\"handle\":\"10.5/%s\",\n\"values\":[{\"index\":1,\"type\":\"URL\",\"data\":\"a\"}]}";
        try (Held held = new Held()) {
            importText(held, "lines", record.formatted("1") + "\n" + record.formatted("2") + "\n");
            importText(held, "array", "[\n" + record.formatted("3") + ",\n" + record.formatted("4") + "]\n");
            importText(held, "dump", " { \"homedPrefixes\" : [ \"0.NA/10.5\" ],\n \"handleRecords\" : { \"10.5/5\" : "
                    + record.formatted("5") + " , \"10.5/6\":" + record.formatted("6") + "} }");
            assertThat(held.all()).hasSize(6);
            assertThat(held.homes.all()).containsExactly("0.NA/10.5");
            assertThat(told).isEmpty();
            ImportReport report = importText(held, "faults", record.formatted("7") + "\n{\"handle\":\"10.5/8\",\n\"values\":["
                    + "{\"index\":1,\n\"type\":7,\"data\":\"a\"}]}\n{\"values\":[]}\n" + record.formatted("9"));
            assertThat(report.get(ImportReport.Count.SKIPPED)).isEqualTo(2);
            assertThat(told.getFirst()).contains("faults:5: values[0].type");
            assertThat(told.getLast()).contains("faults:6: handle is missing");
            assertThat(held.all()).hasSize(8);
            assertThatThrownBy(() -> importText(held, "cut", record.formatted("1") + "\n{\"handle\":"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cut:3: the file ends inside of what begins in line 3");
        }
    }

    @Test
    void tablesOfExistingServersAreRead() throws Exception {
        byte[] admin = new AdminRecord(AdminRight.ALL, new ValueReference(Handle.of("0.NA/10.5"), 300)).write();
        String url = "jdbc:h2:mem:moving;DB_CLOSE_DELAY=-1;NON_KEYWORDS=VALUE";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("create table nas (na varchar(255) not null, primary key(na))");
            statement.execute("create table handles (handle varchar(255) not null, idx int not null, type varchar(64),"
                    + " data varbinary(64000), ttl_type smallint, ttl int, timestamp int, refs varchar(512),"
                    + " admin_read boolean, admin_write boolean, pub_read boolean, pub_write boolean,"
                    + " primary key(handle, idx))");
            statement.execute("insert into nas values ('0.NA/10.5'), ('oops/1')");
            try (PreparedStatement insert =
                    connection.prepareStatement("insert into handles values (?,?,?,?,?,?,?,?,?,?,?,?)")) {
                row(insert, "10.5/ONE", 1, "URL", "http://e.x/1".getBytes(StandardCharsets.UTF_8), "", true);
                row(insert, "10.5/ONE", 100, "HS_ADMIN", admin, "1:10.5/two\t2:10.5/three", false);
                row(insert, "10.5/BAD", -1, "URL", new byte[0], "", true);
                row(insert, "10.5/TWO", 1, "URL", new byte[] {1, 2}, "", true);
            }
            try (Held held = new Held()) {
                ImportReport report = run(
                        held, SqlTableReader.open(url, new Properties(), SqlTableReader.Statements.CUSTOMARY, DRIVERS));
                assertThat(report.get(ImportReport.Count.CREATED)).isEqualTo(2);
                assertThat(told).containsExactlyInAnyOrder(
                        "nas, row 2: a prefix handle is 0.NA/ and a prefix, not 'oops/1'",
                        "handles, row 1: 10.5/BAD: an index is above 0, not -1");
                HandleRecord one = held.records.find(Handle.of("10.5/one")).orElseThrow();
                assertThat(one.value(100).orElseThrow()).isEqualTo(new HandleValue(
                        100,
                        "HS_ADMIN",
                        admin,
                        new Permissions(12),
                        new Ttl.Relative(86400),
                        1_700_000_000L,
                        List.of(
                                new ValueReference(Handle.of("10.5/two"), 1),
                                new ValueReference(Handle.of("10.5/three"), 2))));
                assertThat(held.homes.all()).containsExactly("0.NA/10.5");
            }
        }
        assertThatThrownBy(() -> SqlTableReader.open(
                        "jdbc:nothing:x", new Properties(), SqlTableReader.Statements.CUSTOMARY, DRIVERS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no JDBC driver is there for jdbc:nothing:x");
    }

    private static void row(
            PreparedStatement insert, String handle, int index, String type, byte[] data, String refs, boolean open)
            throws Exception {
        insert.setString(1, handle);
        insert.setInt(2, index);
        insert.setString(3, type);
        insert.setBytes(4, data);
        insert.setInt(5, 0);
        insert.setInt(6, 86400);
        insert.setInt(7, 1_700_000_000);
        insert.setString(8, refs);
        insert.setBoolean(9, true);
        insert.setBoolean(10, true);
        insert.setBoolean(11, open);
        insert.setBoolean(12, false);
        insert.executeUpdate();
    }
}
