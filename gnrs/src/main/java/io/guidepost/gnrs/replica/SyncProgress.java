package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.Peer;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * How far catching up is: a picture of one moment.
 *
 * @param catchingUp whether this server may still miss something that others have
 * @param counted whether the records are all summed up, so that they can be compared
 * @param sweepPercent how far the records are looked through, 0 to 100; -1 if nothing is looked for
 * @param toHandOver records that are placed at other servers only and have not been taken over by them
 * @param moving whether records may still be where the tables before had them
 * @param servers the other servers
 */
public record SyncProgress(
        boolean catchingUp, boolean counted, int sweepPercent, long toHandOver, boolean moving, List<Server> servers) {
    /** Copies the list. */
    public SyncProgress {
        servers = List.copyOf(servers);
    }

    /**
     * One other server.
     *
     * @param name what people call it
     * @param address where it answers
     * @param health whether it answers
     * @param rttNanos how long its answers take, 0 if that is not known
     * @param hintsWaiting changes kept for it because it did not confirm them
     * @param rangesDiffering ranges of GUIDs, of 256, in which it has something else than this server
     * @param recordsShared records that both keep, those that were deleted and are kept in mind among them
     * @param comparedMillisAgo how long ago they were compared; -1 if never
     * @param recordsPushed records that this server has sent it to bring it into line
     * @param recordsPulled records that this server has taken from it
     * @param otherTables whether it has other tables, so that nothing can be compared
     * @param catchingUp whether it says that it is catching up
     * @param skewMillis how far its clock is ahead of the one here, by its last answer
     */
    public record Server(
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
