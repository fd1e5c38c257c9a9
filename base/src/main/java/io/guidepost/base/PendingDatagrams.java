package io.guidepost.base;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Datagrams that wait, with the addresses they came from or go to. They are copies, as the memory of a received datagram is
 * reused; bounded in number and bytes. First in, first out. Takes its memory with the first datagram, and allocates nothing
 * after that. For one thread.
 *
 * <pre>
 *  bytes   |......|first waiting|next|...|last waiting|......|     a ring; a datagram that does not fit before the end
 *                 ^ starts[head]                      ^ end        begins at 0 again
 * </pre>
 */
public final class PendingDatagrams {
    private static final int PEER_HIGH = 0;
    private static final int PEER_LOW = 1;
    private static final int LOCAL_HIGH = 2;
    private static final int LOCAL_LOW = 3;
    private static final int ADDRESS_LONGS = 4;

    private final int bytesMax;
    private final int mask;
    private final int[] starts;
    private final int[] lengths;
    private final int[] peerPorts;
    private final int[] localPorts;
    private final long[] addresses;
    private MemorySegment bytes = MemorySegment.NULL;
    private int head;
    private int count;
    private int end;

    /**
     * Creates an empty queue.
     *
     * @param datagramsMax datagrams that may wait, a power of two
     * @param bytesMax bytes of them, at least 1
     */
    public PendingDatagrams(int datagramsMax, int bytesMax) {
        if (Integer.bitCount(datagramsMax) != 1) {
            throw new IllegalArgumentException("the number of datagrams is a power of two, not " + datagramsMax);
        }
        this.bytesMax = bytesMax;
        this.mask = datagramsMax - 1;
        this.starts = new int[datagramsMax];
        this.lengths = new int[datagramsMax];
        this.peerPorts = new int[datagramsMax];
        this.localPorts = new int[datagramsMax];
        this.addresses = new long[ADDRESS_LONGS * datagramsMax];
    }

    /** Returns whether nothing waits. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** Returns how many datagrams wait. */
    public int count() {
        return count;
    }

    /** Copies the bytes of a datagram behind the others; {@link #address} follows. Returns false if there is no room. */
    public boolean add(MemorySegment from, long offset, int length) {
        int start = start(length);
        if (count > mask || start < 0) {
            return false;
        }
        if (bytes.byteSize() == 0) {
            bytes = Arena.ofAuto().allocate(bytesMax, Long.BYTES);
        }
        MemorySegment.copy(from, offset, bytes, start, length);
        int tail = head + count & mask;
        starts[tail] = start;
        lengths[tail] = length;
        end = start + length;
        count++;
        return true;
    }

    /** Keeps addresses with the datagram that was added last: of the peer, and the own one that it was sent to. */
    public void address(long peerHigh, long peerLow, int peerPort, long localHigh, long localLow, int localPort) {
        int tail = head + count - 1 & mask;
        peerPorts[tail] = peerPort;
        localPorts[tail] = localPort;
        int at = ADDRESS_LONGS * tail;
        addresses[at + PEER_HIGH] = peerHigh;
        addresses[at + PEER_LOW] = peerLow;
        addresses[at + LOCAL_HIGH] = localHigh;
        addresses[at + LOCAL_LOW] = localLow;
    }

    /** Returns where a datagram of a length can be put, or less than 0 if nowhere. */
    private int start(int length) {
        if (count == 0) {
            return length <= bytesMax ? 0 : -1;
        }
        int first = starts[head];
        if (end > first) {
            return end + length <= bytesMax ? end : length <= first ? 0 : -1;
        }
        return end + length <= first ? end : -1;
    }

    /** Returns the memory that the datagrams are in. */
    public MemorySegment segment() {
        return bytes;
    }

    /** Returns where the first datagram begins; this and what follows need one that waits. */
    public int offset() {
        return starts[head];
    }

    /** Returns the bytes of the first datagram. */
    public int length() {
        return lengths[head];
    }

    /** Returns the high half of the address of the first datagram's peer. */
    public long peerHigh() {
        return addresses[ADDRESS_LONGS * head + PEER_HIGH];
    }

    /** Returns the low half of that address. */
    public long peerLow() {
        return addresses[ADDRESS_LONGS * head + PEER_LOW];
    }

    /** Returns the port number of the first datagram's peer. */
    public int peerPort() {
        return peerPorts[head];
    }

    /** Returns the high half of the own address of the first datagram. */
    public long localHigh() {
        return addresses[ADDRESS_LONGS * head + LOCAL_HIGH];
    }

    /** Returns the low half of that address. */
    public long localLow() {
        return addresses[ADDRESS_LONGS * head + LOCAL_LOW];
    }

    /** Returns the own port number of the first datagram. */
    public int localPort() {
        return localPorts[head];
    }

    /** Forgets the first datagram, whose bytes stay until another is added. */
    public void remove() {
        head = head + 1 & mask;
        count--;
    }
}
