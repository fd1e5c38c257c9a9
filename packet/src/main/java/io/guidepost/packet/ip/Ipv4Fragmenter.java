package io.guidepost.packet.ip;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Ipv4;

/**
 * Cuts IPv4 packets that are too long for a link, and may be cut, into fragments (RFC 791 section 3.2, RFC 1812 section
 * 4.2.2.7): each a header and a multiple of 8 bytes, but for the last. Of the options, later fragments have those that are
 * marked to be copied. One thread's.
 */
final class Ipv4Fragmenter {
    private static final int TOTAL_BYTES = 2;
    private static final int COPIED = 0x80;
    private static final int END_OF_OPTIONS = 0;
    private static final int NO_OPERATION = 1;

    private final InterfaceQueue queue;
    private final Ipv4 whole = new Ipv4();
    private final Ipv4 part = new Ipv4();

    Ipv4Fragmenter(InterfaceQueue queue) {
        this.queue = queue;
    }

    /**
     * Sends a packet in fragments, as many as there is room for; the queue counts what is missing.
     *
     * @param packet address of its header, whose checksum is right
     * @param bytes of the packet
     * @param mtu of the link, at least 68 (RFC 791 section 3.1)
     * @param path of the neighbour, see {@link LinkPath}
     */
    void send(long packet, int bytes, int mtu, long path) {
        whole.wrap(packet, bytes);
        int headerBytes = whole.bytes();
        int end = bytes - headerBytes;
        int laterBytes = 0;
        for (int at = 0; at < end; ) {
            long room = queue.room(path);
            if (room == Burst.NO_ROOM) {
                return;
            }
            boolean first = at == 0;
            if (first) {
                Memory.copy(packet, room, headerBytes);
            } else {
                laterBytes = writeLaterHeader(packet, headerBytes, room);
            }
            int ownBytes = first ? headerBytes : laterBytes;
            int length = Math.min(end - at, mtu - ownBytes & ~7);
            boolean last = at + length == end;
            Memory.copy(packet + headerBytes + at, room + ownBytes, length);
            Memory.put16(room + TOTAL_BYTES, ownBytes + length);
            part.wrap(room, ownBytes + length)
                    .fragment(last ? whole.flags() : whole.flags() | Ipv4.MORE_FRAGMENTS, whole.fragmentOffset() + at)
                    .fillChecksum();
            queue.sendRoom(path, HeaderParser.IPV4, ownBytes + length);
            at += length;
        }
    }

    /** Writes the header of a fragment that is not the first; returns its bytes. */
    private static int writeLaterHeader(long packet, int headerBytes, long room) {
        Memory.copy(packet, room, Ipv4.BYTES);
        int to = Ipv4.BYTES;
        for (int at = Ipv4.BYTES; at < headerBytes && Memory.u8(packet + at) != END_OF_OPTIONS; ) {
            boolean single = Memory.u8(packet + at) == NO_OPERATION;
            int length = single || at + 1 == headerBytes ? 1 : Memory.u8(packet + at + 1);
            if (length < 1 || at + length > headerBytes) {
                // Options that contradict the header are not passed on.
                break;
            }
            if ((Memory.u8(packet + at) & COPIED) != 0) {
                Memory.copy(packet + at, room + to, length);
                to += length;
            }
            at += length;
        }
        while (to % Integer.BYTES != 0) {
            Memory.put8(room + to++, END_OF_OPTIONS);
        }
        Memory.put8(room, 0x40 | to / Integer.BYTES);
        return to;
    }
}
