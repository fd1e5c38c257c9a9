package io.guidepost.store.power;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Runs a program, cuts its power at many of its calls, and has each disk that could be left checked. What chance decides
 * follows from a seed: {@code -Dpower.seed=N} gives that of a failure.
 */
public final class PowerCuts {
    /** Checks what a cut has left. */
    public interface Check {
        /**
         * Checks one image.
         *
         * @param image the folder as it is left; may be changed
         * @param before the marks that the program had made
         * @param where the seed and the cut, for messages
         */
        void check(Path image, List<Marks.Mark> before, String where) throws Exception;
    }

    private final Path work;
    private final Path root;
    private final SplittableRandom random;
    private final long seed;
    private final Map<VolatileDisk.Guarantees, VolatileDisk> disks = new EnumMap<>(VolatileDisk.Guarantees.class);

    /** Prepares cuts in an empty folder. */
    public PowerCuts(Path temporary) throws IOException {
        work = temporary.toRealPath();
        root = Files.createDirectory(work.resolve("root"));
        seed = Long.getLong("power.seed", System.nanoTime());
        random = new SplittableRandom(seed);
    }

    /** Returns the folder that the program writes below; what is put there before {@link #run} is on the disk. */
    public Path root() {
        return root;
    }

    /** Returns what decides, for arguments of the program. */
    public SplittableRandom random() {
        return random;
    }

    /**
     * Runs a program and cuts it; its first argument is {@link #root}.
     *
     * @param cuts how many images; at most each call is cut at once, and the end is cut twice besides: by chance, and with nothing that was
     *     not synced
     * @return what the program did
     */
    public WriteJournal run(int cuts, Class<?> program, List<String> arguments, Check check) throws Exception {
        for (VolatileDisk.Guarantees each : VolatileDisk.Guarantees.values()) {
            disks.put(each, new VolatileDisk(root, each));
        }
        List<String> all = new ArrayList<>(List.of(root.toString()));
        all.addAll(arguments);
        WriteJournal journal = new JournaledProcess(work).run(root, program, all.toArray(String[]::new));
        List<WriteJournal.Operation> calls = journal.operations();
        Set<Integer> points = points(calls, cuts);
        List<Marks.Mark> marks = new ArrayList<>();
        int marking = 0;
        for (int at = 0; at <= calls.size(); at++) {
            String where = program.getSimpleName() + arguments + ", seed " + seed + ", cut at call " + at + " of " + calls.size();
            List<Marks.Mark> said = Collections.unmodifiableList(marks);
            if (points.contains(at)) {
                cut(where, false, said, check);
            }
            if (at == calls.size()) {
                cut(where, true, said, check);
                break;
            }
            WriteJournal.Operation call = calls.get(at);
            if (call.kind() == 'o' && call.path().equals(root.resolve(WriteJournal.MARKS).toString())) {
                marking = call.handle();
            }
            if (marking == 0 || call.handle() != marking) {
                disks.values().forEach(each -> each.apply(call));
            } else if (call.kind() == 'w') {
                marks.add(Marks.Mark.of(call.first()));
            }
        }
        System.out.printf("%s%s: %d cuts of %d calls, of which %d sync%n",
                program.getSimpleName(), arguments, points.size(), calls.size(), journal.count('s'));
        JournaledProcess.delete(root);
        Files.createDirectory(root);
        return journal;
    }

    /** Chooses half of the cuts among all calls, half about changes of names, which are few and decide much. */
    private Set<Integer> points(List<WriteJournal.Operation> calls, int cuts) {
        int[] names = IntStream.range(0, calls.size()).filter(at -> calls.get(at).isAboutNames()).toArray();
        assertThat(names).as("changes of names").isNotEmpty();
        Set<Integer> points = new HashSet<>();
        if (cuts >= calls.size()) {
            IntStream.range(0, calls.size()).forEach(points::add);
        }
        // By turns of tries, not of cuts: around few changes of names all calls may have been chosen.
        for (int tries = 0; points.size() < Math.min(cuts, calls.size()); tries++) {
            points.add(tries % 2 == 0
                    ? random.nextInt(calls.size())
                    : Math.min(calls.size() - 1, names[random.nextInt(names.length)] + random.nextInt(4)));
        }
        points.add(calls.size());
        return points;
    }

    private void cut(String where, boolean syncedOnly, List<Marks.Mark> marks, Check check) throws Exception {
        VolatileDisk.Guarantees guarantees =
                random.nextBoolean() ? VolatileDisk.Guarantees.POSIX : VolatileDisk.Guarantees.ORDERED;
        Path image = work.resolve("image");
        JournaledProcess.delete(image);
        VolatileDisk disk = disks.get(guarantees);
        assertThat(disk).isNotNull();
        String what = where + ", " + guarantees;
        if (syncedOnly) {
            disk.syncedOnly(image, random);
            what += ", nothing that was not synced";
        } else {
            disk.image(image, random);
        }
        try {
            check.check(image, marks, what);
        } catch (IOException e) {
            throw new AssertionError(what + ": " + e.getMessage(), e);
        }
    }
}
