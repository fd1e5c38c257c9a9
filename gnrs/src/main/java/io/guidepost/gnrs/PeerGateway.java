package io.guidepost.gnrs;

import io.guidepost.base.SourceNetwork;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The other servers of a deployment, as the door of one worker meets them: what is placed elsewhere is asked for there,
 * and what is written is written at all servers that keep it. One belongs to one worker and is called by its thread
 * alone; what it waits for comes back to that thread, within {@link #begin}.
 */
public interface PeerGateway {
    /** What became of asking other servers for a record. */
    enum Fetch {
        /** It is bound to something. */
        FOUND,
        /** Enough of its servers said that it is bound to nothing. */
        EMPTY,
        /** Too few of its servers answered in time to say. */
        FAILED
    }

    /** Hears of a record that was asked for; called once. */
    @FunctionalInterface
    interface Fetched {
        /**
         * A record came, or did not.
         *
         * @param image its stored form, merged from the answers, if it was found
         */
        void fetched(Fetch outcome, byte @Nullable [] image);
    }

    /** Hears of a write; called once. */
    @FunctionalInterface
    interface Written {
        /**
         * A write is done, or has failed.
         *
         * @param result {@link GnrsCount#WRITES_DONE}, or the count that says why it failed
         * @param held how many servers hold it durably
         * @param needed how many were to hold it for it to be done
         */
        void written(GnrsCount result, int held, int needed);
    }

    /** Starts a turn: gives up what has waited too long, and takes in what other threads handed over. */
    void begin(long nowMillis);

    /**
     * Whether there are other servers at all. If not, the door answers from its store alone and nothing else here is
     * called; this may change when tables are loaded.
     */
    boolean active();

    /**
     * Handles a datagram of one message that no client sends: a response, or a question between servers. It may answer
     * in the exchange at once, or later by {@link #next}, or drop it with a reason counted.
     */
    void take(Exchange exchange);

    /**
     * Whether a question comes from another server of the deployment: it is answered from what is here, and never
     * passed on.
     */
    boolean isPeer(long high, long low, int port);

    /**
     * Whether another server of the deployment is in a network.
     *
     * @param network as {@link SourceNetwork#of} numbers it
     */
    boolean hasPeerIn(long network);

    /** How many look-ups of one worker's clients may wait for other servers. */
    int waitingMax();

    /** About how many more requests other servers may be asked for now, look-ups and writes. */
    int room();

    /**
     * Whether the own copy of a record may be behind those of other servers, which are then to be asked: this server is
     * catching up, or records are on their way between servers.
     */
    boolean ownMayLag(MemorySegment segment, long guid);

    /**
     * Looks for a record of which this server need not have a copy: what is remembered of other servers' answers, for
     * as long as they allow.
     *
     * @return holds its stored form from its first byte on, until the turn ends; {@link #NOTHING} if it is remembered to
     *     be bound to nothing; null if it must be asked for
     */
    @Nullable MemorySegment remembered(MemorySegment segment, long guid);

    /** How long ago what {@link #remembered} gave last was heard, in milliseconds: its TTLs are shorter by so much. */
    long rememberedAgeMillis();

    /** Stands for a record that is known to be bound to nothing. */
    MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    /**
     * Asks the servers that keep a GUID for its record, whatever is remembered of it. The own copy, where there is one,
     * is merged with what they say.
     *
     * @param asker who wants to know, for its share of what may be under way
     * @param fetched told in this call, if that is known at once, or in a later one
     * @return false if too much is under way; {@code fetched} is then not called
     */
    boolean fetch(MemorySegment segment, long guid, Exchange asker, Fetched fetched);

    /**
     * Writes a record at all servers that keep it.
     *
     * @param image the bindings, in stored form, without a version
     * @param append whether they are added to those that are there (INSERT); else they replace them (UPDATE)
     * @param recursive whether other servers may be asked; else only the copy that is kept here is written
     * @param asker who writes, for its share of what may be under way
     * @return false if too much is under way; {@code written} is then not called
     */
    boolean write(byte[] image, boolean append, boolean recursive, Exchange asker, Written written);

    /** Gives one datagram for another server, or an answer to one, as {@link io.guidepost.names.Door#next} does. */
    boolean next(Exchange exchange);

    /** Ends a turn. */
    void end();

    /** How long after {@link #end} the next turn must begin, in nanoseconds. */
    long restNanos();
}
