package io.guidepost.naming;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.NameForm;
import io.guidepost.names.NamedValues;
import io.guidepost.store.RecordImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The changes that are kept, beside a map that keeps all until the ring says that it forgets them. */
class ChangeRingTest {
    private static final List<String> PREFIXES = List.of("", "orders.", "orders.prod.", "café/", "web");

    private final long seed = System.nanoTime();
    private final SplittableRandom random = new SplittableRandom(seed);

    /** Changes by place. */
    private final TreeMap<Long, NameEvent> model = new TreeMap<>();

    private NameEvent change(long sequence) throws Exception {
        String text = PREFIXES.get(random.nextInt(PREFIXES.size())) + "x".repeat(random.nextInt(1, random.nextInt(10) == 0 ? 900 : 20));
        NameForm name = NameForm.parse(text);
        if (random.nextInt(4) == 0) {
            return new NameEvent(Position.of(sequence, name.guid(), Position.NOWHERE), name, random.nextLong(), null);
        }
        long version = random.nextLong();
        List<Binding> places = List.of(Binding.of(Locator.parse("192.0.2.1:" + random.nextInt(1, 60_000))));
        byte[] image = RecordImage.write(Name.of(name.guid()).key(), version, places, NamedValues.of(name.text(), places, Map.of()));
        return new NameEvent(Position.of(sequence, name.guid(), version), name, version, image);
    }

    @Test
    void whatIsNotForgottenIsFound() throws Exception {
        for (long bytesMax : new long[] {1, 500, 4096, 20_000, 100_000}) {
            model.clear();
            ChangeRing ring = new ChangeRing(bytesMax);
            long sequence = 0;
            long forgotten = 0;
            for (int i = 0; i < 3000; i++) {
                if (random.nextInt(1000) == 0) {
                    ring.clear();
                    model.clear();
                }
                sequence += random.nextInt(1, 5);
                NameEvent change = change(sequence);
                long[] upTo = {-1};
                long place = ring.add(change, last -> {
                    assertThat(model).as("seed %d", seed).containsKey(last);
                    alike(ring.get(last), model.get(last));
                    upTo[0] = last;
                });
                forgotten += model.headMap(upTo[0], true).size();
                model.headMap(upTo[0], true).clear();
                assertThat(model.isEmpty() || model.lastKey() < place).as("seed %d: places grow", seed).isTrue();
                model.put(place, change);
                assertThat(ring.bytes()).isLessThanOrEqualTo(model.size() == 1 ? Math.max(bytesMax, 4096) : bytesMax);
                look(ring, random.nextLong(Math.max(0, sequence - 2000), sequence + 2));
            }
            assertThat(forgotten).isPositive();
        }
    }

    private void look(ChangeRing ring, long sequence) {
        NameEvent wanted = model.values().stream().filter(each -> each.sequence() == sequence).findFirst().orElse(null);
        NameEvent found = ring.find(sequence).orElse(null);
        assertThat(found == null).as("seed %d: %d", seed, sequence).isEqualTo(wanted == null);
        if (found != null) {
            alike(found, wanted);
        }
        String prefix = PREFIXES.get(random.nextInt(PREFIXES.size()));
        List<Long> places = new ArrayList<>();
        ring.after(sequence, prefix, places::add);
        List<Long> expected = model.entrySet().stream()
                .filter(each -> each.getValue().sequence() > sequence && each.getValue().text().startsWith(prefix))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(places).as("seed %d: after %d, %s", seed, sequence, prefix).isEqualTo(expected);
        for (long each : places) {
            alike(ring.get(each), model.get(each));
            assertThat(ring.sequence(each)).isEqualTo(model.get(each).sequence());
        }
    }

    private void alike(NameEvent found, NameEvent wanted) {
        assertThat(found.position()).as("seed %d", seed).isEqualTo(wanted.position());
        assertThat(found.text()).isEqualTo(wanted.text());
        assertThat(found.guid()).isEqualTo(wanted.guid());
        assertThat(found.version()).isEqualTo(wanted.version());
        assertThat(Arrays.equals(found.image(), wanted.image())).isTrue();
    }
}
