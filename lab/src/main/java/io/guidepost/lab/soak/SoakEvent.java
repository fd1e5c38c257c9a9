package io.guidepost.lab.soak;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/** What is done to the server while clients ask it. */
enum SoakEvent {
    KILL("kill -9", true),
    UPGRADE("upgrade", true),
    FAILED_UPGRADE("upgrade that fails", true),
    RELOAD("reload", false),
    REFUSED_RELOAD("reload that is refused", false),
    FLOOD("flood", false),
    DISK_FULL("full disk", false),
    CLOCK_STEP("clock step", false);

    /** The share of a run after which a process stays, so that what grows in it is seen. */
    private static final double STAYS = 0.5;

    private final String text;
    private final boolean endsProcess;

    SoakEvent(String text, boolean endsProcess) {
        this.text = text;
        this.endsProcess = endsProcess;
    }

    String text() {
        return text;
    }

    /**
     * An event of a run.
     *
     * @param second of the run
     */
    record Planned(double second, SoakEvent event) {}

    /**
     * Returns the events of a run: at random times, each once before any comes again.
     *
     * @param seed the same seed gives the same events
     * @param seconds length of the run
     * @param every seconds from one to the next, on average
     * @param possible those that the machine allows
     */
    static List<Planned> plan(long seed, double seconds, double every, List<SoakEvent> possible) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Planned> planned = new ArrayList<>();
        Deque<SoakEvent> next = new ArrayDeque<>();
        for (double at = every * (0.5 + random.nextDouble()); at < seconds - every / 4; at += every * (0.5 + random.nextDouble())) {
            boolean stays = at > STAYS * seconds;
            next.removeIf(each -> stays && each.endsProcess);
            if (next.isEmpty()) {
                List<SoakEvent> all = new ArrayList<>(possible);
                all.removeIf(each -> stays && each.endsProcess);
                while (!all.isEmpty()) {
                    next.add(all.remove(random.nextInt(all.size())));
                }
            }
            if (!next.isEmpty()) {
                planned.add(new Planned(at, next.remove()));
            }
        }
        return planned;
    }
}
