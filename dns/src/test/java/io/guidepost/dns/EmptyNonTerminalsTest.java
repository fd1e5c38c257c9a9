package io.guidepost.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.names.Binding;
import io.guidepost.names.Name;
import io.guidepost.names.NameForm;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** Names above others exist (RFC 8020), whenever the others came. */
class EmptyNonTerminalsTest {
    private static final int NAMES = 3 * DnsLimits.PART_MAX;
    private static final int CHANGES = 5000;
    private static final List<String> TOPS = List.of("eu", "us", "prod.asia");

    private final SplittableRandom random = new SplittableRandom(25);
    private final Set<String> names = new TreeSet<>();
    private final EmptyNonTerminals tested = new EmptyNonTerminals(7);

    private static void put(EmbeddedStore store, String name) throws IOException {
        try {
            NameForm form = NameForm.parse(name);
            List<Value> text = NameForm.word(form.guid()).isPresent() ? List.of() : List.of(PlaceAttributes.text(name));
            Binding place = Binding.of(DnsDoorFixture.locator("10.0.0.1:1"));
            store.put(new Record(Name.of(form.guid()), 0, List.of(place), text), Record.ABSENT);
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    private static void remove(EmbeddedStore store, String name) throws IOException {
        try {
            store.delete(Name.of(NameForm.parse(name).guid()));
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    private String randomName() {
        String top = TOPS.get(random.nextInt(TOPS.size()));
        return "host" + random.nextInt(4 * NAMES) + (random.nextInt(3) == 0 ? ".of-a-long-rack-" : ".r") + random.nextInt(200) + "." + top;
    }

    private static void addAbove(String name, Set<String> to) {
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            to.add(name.substring(dot + 1));
        }
    }

    private boolean mayBeAbove(String name) {
        byte[] labels = OwnerName.labels(name);
        return tested.mayBeAbove(MemorySegment.ofArray(labels), 0, labels.length, false);
    }

    /** While a store of three parts is read, names come and go; then the names above others are known, no more and no less. */
    @Test
    void theyAreKnownWhateverChangesWhileTheyAreRead() throws Exception {
        try (EmbeddedStore store = EmbeddedStore.open(
                StoreOptions.inMemory().withObserver((_, key, before, after) -> tested.changed(key, before, after)))) {
            for (int i = 0; i < NAMES; i++) {
                String name = randomName();
                names.add(name);
                put(store, name);
            }
            Set<String> ever = new TreeSet<>();
            names.forEach(each -> addAbove(each, ever));
            assertThat(mayBeAbove("none")).as("what is not known may be").isTrue();
            Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    tested.read(store);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            List<String> first = List.copyOf(names);
            for (int i = 0; i < CHANGES || reader.isAlive(); i++) {
                String name = random.nextBoolean() ? randomName() : first.get(random.nextInt(first.size()));
                if (names.remove(name)) {
                    remove(store, name);
                } else {
                    names.add(name);
                    put(store, name);
                    addAbove(name, ever);
                }
            }
            reader.join();
            Set<String> above = new TreeSet<>();
            names.forEach(each -> addAbove(each, above));
            assertThat(ever).allSatisfy(each -> assertThat(mayBeAbove(each)).as(each).isEqualTo(above.contains(each)));
            assertThat(tested.size()).isEqualTo(above.size());
            for (String each : List.copyOf(names)) {
                remove(store, each);
            }
            assertThat(tested.size()).isZero();
        }
    }

    @Test
    void aTableThatIsFullSaysSo() {
        SuffixCounts counts = new SuffixCounts(1 << 12);
        int taken = 1;
        while (counts.add(taken, 1)) {
            taken++;
        }
        assertThat(taken).isEqualTo((1 << 11) + 1);
        assertThat(counts.contains(taken - 1)).isTrue();
        assertThat(counts.contains(taken)).isFalse();
        for (int i = 1; i < taken; i++) {
            counts.add(i, -1);
        }
        assertThat(counts.add(taken, 1)).as("rows that count nothing make room").isTrue();
        assertThat(counts.size()).isEqualTo(1);
    }

    private static void assertCode(DnsDoorFixture stand, String name, int rcode) throws Exception {
        Message answer = stand.ask(DnsQuestions.extended(name, Type.A));
        assertThat(answer.getRcode()).as(name).isEqualTo(rcode);
    }

    @Test
    void theyHaveNoData() throws Exception {
        try (DnsDoorFixture stand = new DnsDoorFixture(false)) {
            put(stand.store, "orders.prod.eu-west-1.example");
            byte[] handle = "\2" .concat("10.1000/A.B").getBytes(StandardCharsets.US_ASCII);
            byte[] plain = "\2" .concat("20.5/C").getBytes(StandardCharsets.US_ASCII);
            for (byte[] each : List.of(handle, plain)) {
                stand.store.put(new Record(Name.ofKey(each), 0, List.of(), List.of(Value.ofForm(new byte[] {1}))), Record.ABSENT);
            }
            for (String each : List.of(
                    "example", "eu-west-1.example", "PROD.eu-west-1.EXAMPLE", "b.hdl", "1000/a.b.hdl", "5.hdl", "20.5.hdl")) {
                assertCode(stand, each, Rcode.NOERROR);
            }
            for (String each : List.of(
                    "prod", "x.example", "ders.prod.eu-west-1.example", "a.b.hdl", "c.hdl", "5/c.example", "_tcp.example")) {
                assertCode(stand, each, Rcode.NXDOMAIN);
            }
            remove(stand.store, "orders.prod.eu-west-1.example");
            assertCode(stand, "example", Rcode.NXDOMAIN);
        }
    }
}
