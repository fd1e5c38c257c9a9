package io.guidepost.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.dns.transfer.TransferCount;
import io.guidepost.dns.transfer.ZoneJournal;
import io.guidepost.dns.transfer.ZoneTransfers;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.names.NameForm;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import io.guidepost.store.StoreOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** A secondary that follows has what one has that begins, whatever changes while it is told. */
class ZoneTransfersTest {
    private static final InetSocketAddress SECONDARY = new InetSocketAddress(InetAddress.ofLiteral("10.1.2.3"), 5353);
    private static final int NAMES = 40;
    private static final String LONG_NAME = "orders.prod.eu-west-1.example";

    private final ZoneJournal journal = new ZoneJournal();
    private final DnsDoorFixture stand;
    private final ZoneTransfers transfers;
    private final SplittableRandom random = new SplittableRandom(7);

    ZoneTransfersTest() throws IOException {
        stand = new DnsDoorFixture(
                false,
                StoreOptions.inMemory().withObserver((_, key, before, after) -> journal.changed(key, before, after)),
                RemoteNames.NONE);
        journal.begin(0xffff_fff0L, true);
        transfers = new ZoneTransfers(stand.context, journal, 100);
    }

    @AfterEach
    void close() {
        stand.close();
    }

    private static byte[] full() {
        return DnsQuestions.about("names.example.", Type.AXFR, DClass.IN);
    }

    private static byte[] since(int serial) {
        return DnsQuestions.since(serial);
    }

    private interface Meanwhile {
        void happen() throws IOException;
    }

    private List<org.xbill.DNS.Record> transfer(byte[] question, Meanwhile meanwhile) throws IOException {
        List<org.xbill.DNS.Record> records = new ArrayList<>();
        assertThat(transfers.isFor(question, SECONDARY)).isTrue();
        transfers.send(question, message -> {
            records.addAll(new Message(message).getSection(Section.ANSWER));
            meanwhile.happen();
        });
        return records;
    }

    /** A secondary: the records that it has, and their serial. */
    private final class Secondary {
        private final Set<String> records = new TreeSet<>();
        private int serial;

        private static int serial(org.xbill.DNS.Record soa) {
            return (int) ((SOARecord) soa).getSerial();
        }

        Secondary begin(Meanwhile meanwhile) throws IOException {
            List<org.xbill.DNS.Record> all = transfer(full(), meanwhile);
            assertThat(all.getFirst()).isEqualTo(all.getLast());
            all.subList(1, all.size() - 1).forEach(each -> assertThat(records.add(each.toString())).as("twice: %s", each).isTrue());
            serial = serial(all.getFirst());
            return this;
        }

        Secondary follow(Meanwhile meanwhile) throws IOException {
            List<org.xbill.DNS.Record> all = transfer(since(serial), meanwhile);
            if (all.size() == 1) {
                return this;
            }
            assertThat(serial(all.get(1))).as("not the whole zone").isEqualTo(serial);
            boolean removes = true;
            for (org.xbill.DNS.Record each : all.subList(2, all.size() - 1)) {
                if (each instanceof SOARecord) {
                    removes = false;
                } else if (removes) {
                    assertThat(records.remove(each.toString())).as("removes what is not there: %s", each).isTrue();
                } else {
                    assertThat(records.add(each.toString())).as("adds what is there: %s", each).isTrue();
                }
            }
            serial = serial(all.getFirst());
            return this;
        }
    }

    /** Changes something: any name, to any places, links among them, or to none. */
    private void change() throws IOException {
        String name = (random.nextInt(4) == 0 ? "Big" : "small.name") + random.nextInt(NAMES);
        Guid guid = Guid.ofAscii(name);
        List<Binding> places = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String place = switch (random.nextInt(7)) {
                case 0 -> "guid:small.name" + random.nextInt(NAMES);
                case 1 -> "[2001:db8::" + random.nextInt(4) + "]:80";
                case 2 -> "https://10.0.0." + random.nextInt(4) + "/" + random.nextInt(4);
                case 3 -> "https://www.example.net:8443/" + random.nextInt(4);
                default -> "10.0.0." + random.nextInt(4) + ":" + random.nextInt(1, 4);
            };
            Binding binding = new Binding(DnsDoorFixture.locator(place), 1000L * random.nextInt(3), 0);
            if (places.stream().noneMatch(each -> each.locator().equals(binding.locator()))) {
                places.add(binding);
            }
        }
        if (places.isEmpty()) {
            stand.store.delete(Name.of(guid));
        } else {
            stand.put(guid, places);
        }
    }

    @Test
    void aSecondaryThatFollowsHasWhatOneHasThatBegins() throws IOException {
        for (int i = 0; i < 60; i++) {
            change();
        }
        Secondary follows = new Secondary().begin(this::change);
        for (int round = 0; round < 60; round++) {
            for (int i = random.nextInt(6); i > 0; i--) {
                change();
            }
            follows.follow(this::change).follow(() -> {});
            Secondary begins = new Secondary().begin(() -> {});
            assertThat(follows.records).as("round %d", round).isEqualTo(begins.records);
            assertThat(follows.serial).isEqualTo(begins.serial).isEqualTo(journal.serial());
        }
        assertThat(transfers.counts().get(TransferCount.TRANSFERS_INCREMENTAL)).isPositive();
        assertThat(transfers.counts().get(TransferCount.TRANSFERS_CURRENT)).isPositive();
        assertThat(journal.serial()).as("serials go round").isBetween(0, 1000);
    }

    /** While messages of a large zone are on their way, names come, go and change; the secondary gets it as it was. */
    @Test
    void theZoneIsSentAsItWasWhenTheTransferBegan() throws IOException {
        for (int i = 0; i < 600; i++) {
            stand.put("name" + i, "10.0." + i / 250 + "." + i % 250 + ":1", "10.1.0.1:7");
        }
        Set<String> before = new Secondary().begin(() -> {}).records;
        int serial = journal.serial();
        int[] changed = {0};
        Secondary begun = new Secondary().begin(() -> {
            int i = changed[0]++;
            stand.store.delete(Name.of(Guid.ofAscii("name" + (599 - i))));
            stand.put("name" + i, "10.9.9.9:9");
            stand.put("new" + i, "10.9.9.9:9");
        });
        assertThat(changed[0]).isGreaterThan(10);
        assertThat(begun.records).isEqualTo(before);
        assertThat(begun.serial).isEqualTo(serial);
        assertThat(begun.follow(() -> {}).records).isEqualTo(new Secondary().begin(() -> {}).records);
    }

    @Test
    void aZoneHasWhatQuestionsAreAnsweredWith() throws Exception {
        stand.put("printer", "20.0.0.1:4444", "[2001:db8:30::7]:80", "https://20.0.0.9/a");
        stand.put("alias", "guid:printer");
        stand.store.put(new Record(handle(), 0, List.of(), List.of(Value.ofForm(new byte[] {1}))), Record.ABSENT);
        Guid hashed = NameForm.parse(LONG_NAME).guid();
        stand.store.put(
                new Record(Name.of(hashed), 0, List.of(Binding.of(DnsDoorFixture.locator("10.3.3.3:3"))),
                        List.of(PlaceAttributes.text(LONG_NAME))),
                Record.ABSENT);
        Set<String> records = new Secondary().begin(() -> {}).records;
        assertThat(records)
                .contains(LONG_NAME + ".names.example.\t60\tIN\tA\t10.3.3.3")
                .contains(hashed + ".names.example.\t60\tIN\tCNAME\t" + LONG_NAME + ".names.example.");
        assertThat(records).anyMatch(each -> each.startsWith("1234/library.hdl.names.example."));
        int asked = 0;
        for (org.xbill.DNS.Record each : transfer(full(), () -> {})) {
            if (each.getType() != Type.SOA && each.getType() != Type.NS && each.getType() != Type.CNAME) {
                byte[] question = DnsQuestions.about(
                        each.getName().toString().replace("*", "_any"), each.getType(), DClass.IN);
                Message answer = new Message(DnsQuestions.stream(stand.context, question));
                assertThat(answer.getSection(Section.ANSWER)).as("%s", each).anyMatch(
                        record -> record.rdataToString().equals(each.rdataToString()) && record.getTTL() == each.getTTL());
                asked++;
            }
        }
        assertThat(asked).isGreaterThan(15);
    }

    private static Name handle() {
        try {
            byte[] text = "1234/LIBRARY".getBytes(StandardCharsets.US_ASCII);
            byte[] key = new byte[text.length + 1];
            key[0] = Name.Namespace.HANDLE.code();
            System.arraycopy(text, 0, key, 1, text.length);
            return Name.ofKey(key);
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void onlySecondariesMayTransfer() {
        InetSocketAddress other = new InetSocketAddress(InetAddress.ofLiteral("10.1.2.4"), 5353);
        assertThat(transfers.isFor(full(), other)).isFalse();
        assertThat(transfers.isFor(since(5), other)).isFalse();
        assertThat(transfers.isFor(DnsQuestions.plain("printer", Type.AXFR), SECONDARY)).isFalse();
        assertThat(transfers.isFor(DnsQuestions.about("names.example.", Type.SOA, DClass.IN), SECONDARY)).isFalse();
    }

    @Test
    void aSecondaryThatIsGoneEndsItsTransfer() {
        assertThatThrownBy(() -> transfers.send(full(), message -> {
                    throw new IOException("gone");
                }))
                .isInstanceOf(IOException.class);
        assertThat(transfers.counts().get(TransferCount.TRANSFERS_FAILED)).isEqualTo(1);
    }
}
