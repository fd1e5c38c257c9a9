package io.guidepost.handle.replication;

import io.guidepost.handle.message.MirrorPartition;
import io.guidepost.handle.value.SiteRecord;
import java.time.Duration;

/**
 * How a mirror follows one server of a source.
 *
 * @param name under which it is kept how far it is; not to be changed while that matters
 * @param receiver which handles it is for: its own place in its own site
 * @param held which handles the source has: its place in its site
 * @param severalPrimaries whether this server takes changes too; then nothing is taken away that a dump has not
 * @param interval between the end of one question and the next
 * @param pauseMax the longest pause after failures, which double the interval each
 */
public record MirrorSettings(
        String name,
        MirrorPartition receiver,
        MirrorPartition held,
        boolean severalPrimaries,
        Duration interval,
        Duration pauseMax) {
    /** The only server of a site, with all handles. */
    public static final MirrorPartition ALL = new MirrorPartition(SiteRecord.Hash.HANDLE, 1, 0);

    /** A mirror of all that the only server of a site has, which asks every minute. */
    public static MirrorSettings of(String name) {
        return new MirrorSettings(name, ALL, ALL, false, Duration.ofMinutes(1), Duration.ofMinutes(10));
    }

    /** The same with another {@link #interval}. */
    public MirrorSettings withInterval(Duration value) {
        return new MirrorSettings(name, receiver, held, severalPrimaries, value, pauseMax);
    }

    /** The same with other {@link #severalPrimaries}. */
    public MirrorSettings withSeveralPrimaries(boolean value) {
        return new MirrorSettings(name, receiver, held, value, interval, pauseMax);
    }

    /** The same with another {@link #receiver}. */
    public MirrorSettings withReceiver(MirrorPartition value) {
        return new MirrorSettings(name, value, held, severalPrimaries, interval, pauseMax);
    }

    /** The same with another {@link #held}. */
    public MirrorSettings withHeld(MirrorPartition value) {
        return new MirrorSettings(name, receiver, value, severalPrimaries, interval, pauseMax);
    }
}
