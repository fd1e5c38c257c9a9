package io.guidepost.handle.replication;

import io.guidepost.handle.message.MirrorPartition;
import io.guidepost.handle.value.SiteRecord;
import java.time.Duration;

/**
 * Settings of a mirror of one server of a source.
 *
 * @param name key of its checkpoint; not to be changed while that matters
 * @param receiver the partition that it asks for: its own place in its own site
 * @param held the partition that the source has: its place in its site
 * @param severalPrimaries whether this server accepts changes too; then a dump deletes nothing
 * @param interval between the end of one poll and the next
 * @param pauseMax upper bound of the exponential backoff after failures
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

    /** The usual upper bound of the backoff. */
    public static final Duration PAUSE_MAX = Duration.ofMinutes(10);
}
