package io.guidepost.base;

import java.lang.foreign.MemorySegment;

/**
 * What a protocol tells admission control about its datagrams: which name each asks for, and which sources are exempt. Only
 * called while a worker has more datagrams than it can answer, or an operator looks at who is busiest. One instance belongs to one worker.
 */
public interface DatagramClassifier {
    /** Stands for a datagram that asks for no name. */
    long NO_NAME = 0;

    /** Knows no names and exempts no source. */
    DatagramClassifier NONE = (segment, offset, length) -> NO_NAME;

    /**
     * Returns a number for the name that a datagram asks for, {@link #NO_NAME} if it asks for none: a pure function of the
     * datagram's bytes, which may be anything.
     */
    long name(MemorySegment segment, long offset, int length);

    /** Returns that name for people; called right after {@link #name}, where that knows one. */
    default String nameText(MemorySegment segment, long offset, int length) {
        return "";
    }

    /** Returns whether a datagram is never held back, as a response is that completes work in flight. */
    default boolean isExempt(MemorySegment segment, long offset, int length) {
        return false;
    }

    /** Returns whether an address is that of a peer server, which is a source of its own beside the others of its network. */
    default boolean isPeer(long high, long low, int port) {
        return false;
    }

    /** Returns whether a peer server is in a {@linkplain SourceNetwork network}, which therefore is never received apart. */
    default boolean hasPeerIn(long network) {
        return false;
    }
}
