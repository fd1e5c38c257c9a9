package io.guidepost.lab.scaffold;

import io.guidepost.base.Memory;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.scaffold.flow.GatewaySettings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One end of a TCP connection as a kernel has it, small but strict: options as they were agreed, sequence numbers, SACK,
 * timestamps with PAWS (RFC 7323), challenge ACKs (RFC 5961), window scale, retransmission with doubling timers, half-closed
 * connections. What a gateway gets wrong shows here: a segment with a wrong checksum, an acknowledgment of what was not sent, or an
 * old timestamp counts.
 */
final class SimulatedTcp {
    static final int FIN = 1;
    static final int SYN = 2;
    static final int RST = 4;
    static final int PSH = 8;
    static final int ACK = 16;

    private static final int SEND_WINDOW = 64 << 10;
    private static final long RTO_NANOS = 200_000_000L;
    private static final int RETRIES_MAX = 12;

    /**
     * What this end offers in its SYN.
     *
     * @param scale of its window; -1 for none
     */
    record Options(int segmentBytes, int scale, boolean sack, boolean clocks, int clockOffset) {}

    /** What a program makes of a connection. */
    interface Program {
        /** Bytes have come, in order. */
        void received(byte[] bytes);

        /** The other end sends no more. */
        void ended();

        /** The connection is over without an end. */
        void reset();
    }

    /** The addresses and ports of the connection, as this end has them; of addresses of IPv6 the part that differs. */
    record Ends(boolean ipv4, int own, int ownPort, int peer, int peerPort) {
        int ipBytes() {
            return ipv4 ? 20 : 40;
        }

        private long pseudo(int bytes) {
            long high = GatewaySettings.IPV6_HIGH;
            return ipv4
                    ? InternetChecksum.pseudoIpv4(own, peer, 6, bytes)
                    : InternetChecksum.pseudoIpv6(high, own & 0xffff_ffffL, high, peer & 0xffff_ffffL, 6, bytes);
        }
    }

    private final EventScheduler world;
    private final Ends ends;
    private final Options offered;
    private final Consumer<byte[]> output;
    private final Program program;
    private final List<String> faults;

    private final int isn;
    private int peerIsn;
    private boolean established;
    private boolean over;
    private boolean scaled;
    private int peerScale;
    private boolean sacks;
    private boolean clocks;
    private int segmentBytes = 536;
    private int recentClock;

    private byte[] out = new byte[0];
    private int acked;
    private int sent;
    private int sentMost;
    private boolean finWanted;
    private boolean finAcked;
    private int window = 65_535;
    private int duplicates;

    private int received;
    private boolean finReceived;
    private final TreeMap<Integer, byte[]> ahead = new TreeMap<>();
    private int finAt = -1;

    private long timerEpoch;
    private int retries;

    SimulatedTcp(
            EventScheduler world,
            Ends ends,
            Options offered,
            int isn,
            Consumer<byte[]> output,
            Program program,
            List<String> faults) {
        this.world = world;
        this.ends = ends;
        this.offered = offered;
        this.isn = isn;
        this.output = output;
        this.program = program;
        this.faults = faults;
    }

    boolean isOver() {
        return over;
    }

    /** Opens the connection. */
    void connect() {
        sendSyn(SYN);
    }

    /** Answers a SYN. */
    void accept(Segment syn) {
        agree(syn);
        sendSyn(SYN | ACK);
    }

    private void agree(Segment syn) {
        peerIsn = syn.sequence();
        if (syn.segmentBytes > 0) {
            segmentBytes = Math.min(syn.segmentBytes, offered.segmentBytes());
        }
        scaled = offered.scale() >= 0 && syn.scale >= 0;
        peerScale = scaled ? syn.scale : 0;
        sacks = offered.sack() && syn.sackPermitted;
        clocks = offered.clocks() && syn.hasClock;
        recentClock = syn.clock;
        window = syn.window;
    }

    private int clock() {
        return (int) (world.nanos() / 1_000_000) + offered.clockOffset();
    }

    private void sendSyn(int flags) {
        ByteBuffer options = ByteBuffer.allocate(40);
        options.put((byte) 2).put((byte) 4).putShort((short) offered.segmentBytes());
        boolean answer = (flags & ACK) != 0;
        if (answer ? scaled : offered.scale() >= 0) {
            options.put((byte) 1).put((byte) 3).put((byte) 3).put((byte) offered.scale());
        }
        if (answer ? sacks : offered.sack()) {
            options.put((byte) 1).put((byte) 1).put((byte) 4).put((byte) 2);
        }
        if (answer ? clocks : offered.clocks()) {
            options.put((byte) 1).put((byte) 1).put((byte) 8).put((byte) 10).putInt(clock()).putInt(answer ? recentClock : 0);
        }
        emit(flags, isn, answer ? peerIsn + 1 : 0, 65_535, Arrays.copyOf(options.array(), options.position()), new byte[0]);
        arm();
    }

    /** Sends bytes. */
    void write(byte[] bytes) {
        int before = out.length;
        out = Arrays.copyOf(out, before + bytes.length);
        System.arraycopy(bytes, 0, out, before, bytes.length);
        push();
    }

    /** Sends no more. */
    void close() {
        finWanted = true;
        push();
    }

    /** Ends at once, as a process that is killed does with unread bytes. */
    void abort() {
        if (!over) {
            emit(RST | ACK, isn + 1 + sent, peerIsn + 1 + received, 0, new byte[0], new byte[0]);
            over = true;
        }
    }

    private int total() {
        return out.length + (finWanted ? 1 : 0);
    }

    private void push() {
        if (!established || over) {
            return;
        }
        int may = Math.min(SEND_WINDOW, window << peerScale);
        while (sent < total() && sent - acked < may) {
            sent += segment(sent, Math.min(segmentBytes - (clocks ? 12 : 0), may - (sent - acked)));
            sentMost = Math.max(sentMost, sent);
        }
        if (acked < total()) {
            arm();
        }
    }

    /** Sends one segment of the stream; returns what it takes of the numbers. */
    private int segment(int from, int most) {
        int bytes = Math.max(0, Math.min(most, out.length - from));
        boolean fin = finWanted && from + bytes == out.length;
        emit(
                ACK | (fin ? FIN : 0) | (bytes > 0 ? PSH : 0),
                isn + 1 + from,
                peerIsn + 1 + received + (finReceived ? 1 : 0),
                windowField(),
                options(),
                Arrays.copyOfRange(out, Math.min(from, out.length), Math.min(from, out.length) + bytes));
        return bytes + (fin ? 1 : 0);
    }

    private int windowField() {
        return Math.min(65_535, 262_144 >> (scaled ? offered.scale() : 0));
    }

    private byte[] options() {
        ByteBuffer options = ByteBuffer.allocate(40);
        if (clocks) {
            options.put((byte) 1).put((byte) 1).put((byte) 8).put((byte) 10).putInt(clock()).putInt(recentClock);
        }
        if (sacks && !ahead.isEmpty()) {
            int blocks = Math.min(ahead.size(), 2);
            options.put((byte) 1).put((byte) 1).put((byte) 5).put((byte) (2 + 8 * blocks));
            int done = 0;
            for (Map.Entry<Integer, byte[]> each : ahead.entrySet()) {
                if (done++ == blocks) {
                    break;
                }
                options.putInt(peerIsn + 1 + each.getKey());
                options.putInt(peerIsn + 1 + each.getKey() + each.getValue().length);
            }
        }
        return Arrays.copyOf(options.array(), options.position());
    }

    private void acknowledge() {
        emit(ACK, isn + 1 + sent, peerIsn + 1 + received + (finReceived ? 1 : 0), windowField(), options(), new byte[0]);
    }

    private void emit(int flags, int sequence, int acknowledgment, int windowField, byte[] options, byte[] data) {
        output.accept(Segment.write(ends, flags, sequence, acknowledgment, windowField, options, data));
    }

    private void arm() {
        long epoch = ++timerEpoch;
        world.after(RTO_NANOS << Math.min(retries, 6), () -> {
            if (epoch == timerEpoch && !over) {
                timeout();
            }
        });
    }

    private void timeout() {
        if (established && acked >= total()) {
            return;
        }
        if (++retries > RETRIES_MAX) {
            over = true;
            program.reset();
            return;
        }
        if (!established) {
            sendSyn(peerIsn == 0 ? SYN : SYN | ACK);
            return;
        }
        sent = acked;
        push();
        arm();
    }

    /** Takes a packet. */
    void take(Segment segment) {
        if (over) {
            return;
        }
        if ((segment.flags & RST) != 0) {
            int at = segment.sequence - (peerIsn + 1 + received);
            boolean inWindow = !established ? (segment.flags & ACK) != 0 : at == 0 || at == 1 && finReceived;
            if (inWindow) {
                over = true;
                program.reset();
            } else if (established && at > 0 && at < SEND_WINDOW) {
                // A challenge ACK (RFC 5961, section 3.2): who has no such connection answers it with the right number.
                acknowledge();
            }
            return;
        }
        if ((segment.flags & SYN) != 0) {
            takeSyn(segment);
            return;
        }
        if (!established) {
            if (segment.acknowledgment != isn + 1) {
                return;
            }
            established = true;
            retries = 0;
        }
        if (clocks) {
            if (!segment.hasClock) {
                faults.add("a segment has no timestamp though both have agreed to them");
                return;
            }
            if (segment.clock - recentClock < 0) {
                // PAWS: it looks old.
                acknowledge();
                return;
            }
            recentClock = segment.clock;
        }
        if (segment.scale >= 0 || segment.sacks.size() > 0 && !sacks) {
            faults.add("a segment has options that were not agreed on");
        }
        takeAck(segment);
        if (segment.data.length > 0 || (segment.flags & FIN) != 0) {
            takeData(segment);
        }
    }

    private void takeSyn(Segment segment) {
        boolean answer = (segment.flags & ACK) != 0;
        if (!established && answer && segment.acknowledgment == isn + 1 && peerIsn == 0) {
            agree(segment);
            established = true;
            retries = 0;
            acknowledge();
            push();
        } else if (!established && !answer && peerIsn == segment.sequence) {
            sendSyn(SYN | ACK);
        } else if (established) {
            acknowledge();
        }
    }

    private void takeAck(Segment segment) {
        int at = segment.acknowledgment - (isn + 1);
        if (at > sentMost) {
            faults.add("port " + ends.ownPort() + ": an acknowledgment of " + at + " bytes, and " + sentMost + " were sent");
            return;
        }
        for (int[] each : segment.sacks) {
            int right = each[1] - (isn + 1);
            if (right > sentMost || right < 0) {
                faults.add("a SACK block ends at " + right + ", and " + sentMost + " bytes were sent");
            }
        }
        window = segment.window;
        if (at > acked) {
            acked = at;
            sent = Math.max(sent, acked);
            retries = 0;
            duplicates = 0;
            finAcked = finWanted && acked == total();
            if (acked >= total()) {
                timerEpoch++;
            } else {
                arm();
            }
        } else if (at == acked && segment.data.length == 0 && acked < sent && ++duplicates == 3) {
            segment(acked, segmentBytes - (clocks ? 12 : 0));
        }
        push();
        endIfDone();
    }

    private void endIfDone() {
        if (finAcked && finReceived) {
            over = true;
        }
    }

    private void takeData(Segment segment) {
        int from = segment.sequence - (peerIsn + 1);
        byte[] data = segment.data;
        if ((segment.flags & FIN) != 0) {
            finAt = from + data.length;
        }
        if (from > received) {
            ahead.merge(from, data, (a, b) -> a.length >= b.length ? a : b);
            acknowledge();
            return;
        }
        if (from + data.length > received) {
            deliver(Arrays.copyOfRange(data, received - from, data.length));
        }
        for (Map.Entry<Integer, byte[]> next = ahead.firstEntry(); next != null && next.getKey() <= received; next = ahead.firstEntry()) {
            ahead.remove(next.getKey());
            int known = received - next.getKey();
            if (known < next.getValue().length) {
                deliver(Arrays.copyOfRange(next.getValue(), known, next.getValue().length));
            }
        }
        if (received == finAt && !finReceived) {
            finReceived = true;
            acknowledge();
            program.ended();
            endIfDone();
        } else {
            acknowledge();
        }
    }

    private void deliver(byte[] bytes) {
        received += bytes.length;
        program.received(bytes);
    }

    /** A segment as it was read. */
    static final class Segment {
        private static final MemorySegment ROOM = Arena.global().allocate(65_536, 8);

        final Ends ends;
        final int flags;
        final int sequence;
        final int acknowledgment;
        final int window;
        final byte[] data;
        final List<int[]> sacks = new ArrayList<>();
        int segmentBytes;
        int scale = -1;
        boolean sackPermitted;
        boolean hasClock;
        int clock;

        int sequence() {
            return sequence;
        }

        boolean opens() {
            return (flags & (SYN | ACK)) == SYN;
        }

        /** Reads a packet; the ends are as the receiver has them. */
        Segment(byte[] packet) {
            ByteBuffer in = ByteBuffer.wrap(packet);
            boolean ipv4 = packet[0] >>> 4 == 4;
            int tcp = ipv4 ? 20 : 40;
            ends = new Ends(
                    ipv4, in.getInt(tcp - 4), in.getShort(tcp + 2) & 0xffff, in.getInt(ipv4 ? 12 : 20), in.getShort(tcp) & 0xffff);
            sequence = in.getInt(tcp + 4);
            acknowledgment = in.getInt(tcp + 8);
            int header = (packet[tcp + 12] & 0xf0) >>> 2;
            flags = packet[tcp + 13] & 0xff;
            window = in.getShort(tcp + 14) & 0xffff;
            data = Arrays.copyOfRange(packet, tcp + header, packet.length);
            readOptions(in, tcp + 20, tcp + header);
        }

        private void readOptions(ByteBuffer in, int from, int end) {
            for (int at = from; at < end; ) {
                int kind = in.get(at);
                if (kind == 0) {
                    return;
                }
                if (kind == 1) {
                    at++;
                    continue;
                }
                switch (kind) {
                    case 2 -> segmentBytes = in.getShort(at + 2) & 0xffff;
                    case 3 -> scale = in.get(at + 2);
                    case 4 -> sackPermitted = true;
                    case 5 -> {
                        for (int block = at + 2; block < at + in.get(at + 1); block += 8) {
                            sacks.add(new int[] {in.getInt(block), in.getInt(block + 4)});
                        }
                    }
                    case 8 -> {
                        hasClock = true;
                        clock = in.getInt(at + 2);
                    }
                    default -> {}
                }
                at += in.get(at + 1);
            }
        }

        static byte[] write(Ends ends, int flags, int sequence, int acknowledgment, int window, byte[] options, byte[] data) {
            int optionBytes = options.length + 3 & ~3;
            int bytes = 20 + optionBytes + data.length;
            int tcp = ends.ipBytes();
            byte[] packet = new byte[tcp + bytes];
            ByteBuffer to = ByteBuffer.wrap(packet);
            if (ends.ipv4) {
                to.putShort(0, (short) 0x4500).putShort(2, (short) packet.length).putShort(6, (short) 0x4000);
                to.putShort(8, (short) 0x4006).putInt(12, ends.own()).putInt(16, ends.peer());
                to.putShort(10, (short) sum(packet, 0, 20, 0));
            } else {
                to.putInt(0, 0x6000_0000).putShort(4, (short) bytes).putShort(6, (short) 0x0640);
                to.putLong(8, GatewaySettings.IPV6_HIGH).putInt(20, ends.own);
                to.putLong(24, GatewaySettings.IPV6_HIGH).putInt(36, ends.peer);
            }
            to.putShort(tcp, (short) ends.ownPort()).putShort(tcp + 2, (short) ends.peerPort());
            to.putInt(tcp + 4, sequence).putInt(tcp + 8, acknowledgment);
            to.putShort(tcp + 12, (short) ((20 + optionBytes) / 4 << 12 | flags)).putShort(tcp + 14, (short) window);
            Arrays.fill(packet, tcp + 20, tcp + 20 + optionBytes, (byte) 1);
            System.arraycopy(options, 0, packet, tcp + 20, options.length);
            System.arraycopy(data, 0, packet, tcp + 20 + optionBytes, data.length);
            to.putShort(tcp + 16, (short) sum(packet, tcp, packet.length, ends.pseudo(bytes)));
            return packet;
        }

        /** Returns whether the checksums of a packet are right. */
        static boolean isRight(byte[] packet) {
            Ends to = new Segment(packet).ends;
            int tcp = to.ipBytes();
            return (!to.ipv4 || sum(packet, 0, tcp, 0) == 0) && sum(packet, tcp, packet.length, to.pseudo(packet.length - tcp)) == 0;
        }

        private static synchronized int sum(byte[] packet, int from, int end, long pseudo) {
            MemorySegment.copy(packet, from, ROOM, Memory.BYTE, 0, end - from);
            return InternetChecksum.fold(InternetChecksum.add(pseudo, ROOM.address(), end - from));
        }
    }
}
