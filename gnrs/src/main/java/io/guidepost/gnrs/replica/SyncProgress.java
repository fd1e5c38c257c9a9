package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.Peer;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A snapshot of the progress of anti-entropy.
 *
 * @param catchingUp whether this server may still miss writes that its peers have
 * @param counted whether the range digests are complete, so that they can be compared
 * @param sweepPercent progress of the scan through the records, 0 to 100; -1 if none is running
 * @param toHandOver records that are placed at other servers only and that those have not taken over
 * @param moving whether records may still be where the previous tables had them
 * @param servers the other servers
 */
public record SyncProgress(
        boolean catchingUp, boolean counted, int sweepPercent, long toHandOver, boolean moving, List<PeerProgress> servers) {
    /** Copies the list. */
    public SyncProgress {
        servers = List.copyOf(servers);
    }

    /**
     * The state of one peer.
     *
     * @param name its name
     * @param address its GNRS address
     * @param health whether it responds
     * @param rttNanos its round-trip time, 0 if unknown
     * @param hintsWaiting changes kept for it because it did not confirm them (hinted handoff)
     * @param rangesDiffering ranges of GUIDs, of 256, whose digests differ from those here
     * @param recordsShared records that both keep, tombstones included
     * @param comparedMillisAgo time since the last comparison; -1 if never
     * @param recordsPushed records that this server has sent to it
     * @param recordsPulled records that this server has taken from it
     * @param otherTables whether it has other tables, so that nothing can be compared
     * @param catchingUp whether it reports that it is catching up
     * @param skewMillis how far its clock is ahead of the local one, by its last response
     */
    public record PeerProgress(
            String name,
            InetSocketAddress address,
            Peer.Health health,
            long rttNanos,
            int hintsWaiting,
            int rangesDiffering,
            long recordsShared,
            long comparedMillisAgo,
            long recordsPushed,
            long recordsPulled,
            boolean otherTables,
            boolean catchingUp,
            long skewMillis) {}
}
