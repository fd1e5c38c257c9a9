package io.guidepost.store.power;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a {@link PowerLossChild} tried, in the order in which its store made it, and how far it was told that it is done. */
final class WriteHistory {
    private record Write(long number, long content) {}

    private final List<Write> tried = new ArrayList<>();
    private int acknowledged;
    private long lastBackup = -1;
    private int backedUp;
    private int heard;
    private int closed;
    private long version;

    /** Takes the marks that are new. */
    void hear(List<Marks.Mark> all) {
        all.subList(heard, all.size()).forEach(this::hear);
        heard = all.size();
    }

    private void hear(Marks.Mark mark) {
        switch (mark.kind()) {
            case 'T' -> tried.add(new Write(mark.first(), mark.second()));
            case 'A' -> {
                assertThat(tried.get(acknowledged)).as("acknowledged in order").isEqualTo(new Write(mark.first(), mark.second()));
                acknowledged++;
                version = Math.max(version, mark.third());
            }
            case 'C' -> closed = acknowledged;
            case 'B' -> {
                lastBackup = mark.first();
                backedUp = acknowledged;
            }
            default -> {}
        }
    }

    int acknowledged() {
        return acknowledged;
    }

    /** Returns how many were acknowledged when the store was last closed. */
    int acknowledgedAtClose() {
        return closed;
    }

    /** Returns the number of the last backup that was finished; -1 if none was. */
    long lastBackup() {
        return lastBackup;
    }

    /** Returns how many were acknowledged before that backup, and none after it began. */
    int acknowledgedAtBackup() {
        return backedUp;
    }

    /** Returns the highest version acknowledged. */
    long version() {
        return version;
    }

    /** Returns what the first tries make: content by number. */
    Map<Long, Long> after(int number) {
        Map<Long, Long> state = new HashMap<>();
        tried.subList(0, number).forEach(each -> make(each, state));
        return state;
    }

    /**
     * Returns how many of the tries have made what is found; fails if no number of them from the least on has.
     *
     * @param found content by number, without those removed
     */
    int prefix(Map<Long, Long> found, int least, String where) {
        Map<Long, Long> state = after(least);
        for (int n = least; ; n++) {
            if (state.equals(found)) {
                return n;
            }
            if (n == tried.size()) {
                throw new AssertionError("%s: what is there is no beginning of the %d writes tried of at least %d: %s"
                        .formatted(where, tried.size(), least, difference(after(least), found)));
            }
            make(tried.get(n), state);
        }
    }

    private static void make(Write write, Map<Long, Long> state) {
        if (write.content < 0) {
            state.remove(write.number);
        } else {
            state.put(write.number, write.content);
        }
    }

    private String difference(Map<Long, Long> expected, Map<Long, Long> found) {
        List<String> all = new ArrayList<>();
        for (long number = 0; number < PowerLossChild.KEYS && all.size() < 8; number++) {
            long key = number;
            Long there = found.get(number);
            if (!Objects.equals(expected.get(number), there)) {
                List<Integer> writes = new ArrayList<>();
                for (int i = 0; i < tried.size(); i++) {
                    if (tried.get(i).number == key) {
                        writes.add(there != null && tried.get(i).content == there ? -i : i);
                    }
                }
                all.add("key " + number + " has " + there + ", written by the tries " + writes + ", - = the one found");
            }
        }
        return String.join("; ", all);
    }
}
