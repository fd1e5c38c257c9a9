package io.guidepost.gnrs;

import io.guidepost.base.SourceNetwork;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The other servers of a deployment, as the door of one worker sees them: records placed elsewhere are fetched there,
 * and writes go to a quorum of all replicas. Belongs to one worker, whose thread alone calls it; results come back on
 * that thread, within {@link #begin}.
 */
public interface PeerGateway {
    /** The outcome of fetching a record from other servers. */
    enum Fetch {
        /** The record has bindings. */
        FOUND,
        /** A majority of its servers answered that it has no bindings. */
        EMPTY,
        /** Too few of its servers answered in time. */
        FAILED
    }

    /** Receives a fetched record; called once. */
    @FunctionalInterface
    interface Fetched {
        /**
         * Delivers the record, or its absence.
         *
         * @param image its stored form, merged from the answers, if it was found
         */
        void fetched(Fetch outcome, byte @Nullable [] image);
    }

    /** Receives the outcome of a write; called once. */
    @FunctionalInterface
    interface Written {
        /**
         * Delivers the outcome of a write.
         *
         * @param result {@link GnrsCount#WRITES_DONE}, or the counter that names the failure
         * @param held servers that hold it durably
         * @param needed servers that the quorum requires
         */
        void written(GnrsCount result, int held, int needed);
    }

    /** Starts a turn: expires what has timed out, and takes the messages of other threads. */
    void begin(long nowMillis);

    /**
     * Returns whether other servers exist. If not, the door answers from its store alone and calls nothing else here;
     * this may change when tables are loaded.
     */
    boolean active();

    /**
     * Handles a datagram of one message that no client sends: a response, or a request between servers. It answers in
     * the exchange at once, or later by {@link #next}, or drops the message with a counted reason.
     */
    void take(Exchange exchange);

    /**
     * Returns whether a request comes from another server of the deployment: it is answered from local data and never
     * relayed.
     */
    boolean isPeer(long high, long low, int port);

    /**
     * Returns whether another server of the deployment is in a network.
     *
     * @param network as {@link SourceNetwork#of} numbers it
     */
    boolean hasPeerIn(long network);

    /** Returns the number of look-ups of one worker's clients that may wait for other servers. */
    int waitingMax();

    /** Returns about how many more requests may be sent to other servers now, for look-ups and writes. */
    int room();

    /**
     * Returns whether the local copy of a record may be stale, so that other servers must be queried: this server is
     * catching up, or records are moving between servers.
     */
    boolean ownMayLag(MemorySegment segment, long guid);

    /**
     * Looks up a record in the cache of other servers' answers, where entries live for their TTL. An entry without
     * bindings is a negative one (negative cache).
     *
     * @return the segment that begins with the stored form, valid until the turn ends; {@link #NOTHING} for a negative
     *     entry; null if the record must be fetched
     */
    @Nullable MemorySegment remembered(MemorySegment segment, long guid);

    /**
     * Returns the age of the entry that {@link #remembered} returned last, in milliseconds: its TTLs are shortened by
     * it.
     */
    long rememberedAgeMillis();

    /** Stands for a record that is known to have no bindings (negative cache). */
    MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    /**
     * Fetches the record of a GUID from the servers that keep it, past the cache. The local copy, where there is one,
     * is merged with their answers.
     *
     * @param asker the client's exchange, for its share of the requests in flight
     * @param fetched called in this call if the outcome is known at once, else in a later one
     * @return false if too many requests are in flight; {@code fetched} is then not called
     */
    boolean fetch(MemorySegment segment, long guid, Exchange asker, Fetched fetched);

    /**
     * Writes a record at all servers that keep it.
     *
     * @param image the bindings, in stored form, without a version
     * @param append whether they are added to the existing ones (INSERT); else they replace them (UPDATE)
     * @param recursive whether other servers may be involved; else only the local copy is written
     * @param asker the client's exchange, for its share of the requests in flight
     * @return false if too many requests are in flight; {@code written} is then not called
     */
    boolean write(byte[] image, boolean append, boolean recursive, Exchange asker, Written written);

    /** Writes one datagram for another server, or an answer to one, as {@link io.guidepost.names.Door#next} does. */
    boolean next(Exchange exchange);

    /** Ends a turn. */
    void end();

    /** Returns how soon after {@link #end} the next turn must begin, in nanoseconds. */
    long restNanos();
}
