package io.guidepost.packet.udp;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.TxQueue;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;

/** Sends to a channel, one call for each datagram. */
final class ChannelTx implements TxQueue {
    private static final int SENT = 0;
    private static final int DROPPED = 1;
    private static final int STAYS = 2;

    private final DatagramChannel channel;
    private final QueueStatistics statistics = new QueueStatistics();
    private final int capacity;
    private final int datagramBytesMax;

    ChannelTx(DatagramChannel channel, UdpSettings settings) {
        this.channel = channel;
        capacity = settings.burstMax();
        datagramBytesMax = settings.datagramBytesMax();
    }

    @Override
    public Burst burst() {
        MemorySegment memory = Arena.ofAuto().allocate(PacketLimits.transmitBytes(capacity, datagramBytesMax));
        return new Burst(memory, capacity, datagramBytesMax);
    }

    @Override
    public int send(Burst burst) {
        int sent = 0;
        long bytes = 0;
        int done = 0;
        ByteBuffer view = burst.segment().asByteBuffer();
        while (done < burst.count()) {
            statistics.call();
            int result = send(burst, done, view);
            if (result == STAYS) {
                break;
            }
            if (result == SENT) {
                sent++;
                bytes += burst.length(done);
            }
            done++;
        }
        if (sent > 0) {
            statistics.burst(sent, bytes);
        }
        burst.removeFirst(done);
        return burst.count();
    }

    private int send(Burst burst, int index, ByteBuffer view) {
        if (burst.peerPort(index) == 0) {
            statistics.drop(Drop.REFUSED, 1);
            return DROPPED;
        }
        int offset = (int) burst.offset(index);
        view.clear().position(offset).limit(offset + burst.length(index));
        try {
            InetSocketAddress peer = new InetSocketAddress(
                    Addresses.toInetAddress(burst.peerHigh(index), burst.peerLow(index)), burst.peerPort(index));
            // A channel returns 0 both for an empty datagram that left and for a full socket buffer.
            return channel.send(view, peer) == 0 && burst.length(index) > 0 ? STAYS : SENT;
        } catch (ClosedChannelException e) {
            statistics.drop(Drop.CLOSED, 1);
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            statistics.drop(Drop.REFUSED, 1);
        } catch (IOException e) {
            statistics.drop(reason(e, burst.length(index)), 1);
        }
        return DROPPED;
    }

    private static Drop reason(IOException refusal, int length) {
        String text = refusal.getMessage() == null ? "" : refusal.getMessage();
        if (text.contains("too long") || text.contains("too large") || length > PacketLimits.PAYLOAD_BYTES_MAX) {
            return Drop.TOO_LARGE;
        }
        if (text.contains("unreachable") || text.contains("No route")) {
            return Drop.UNREACHABLE;
        }
        return text.contains("nvalid argument") || text.contains("ermi") ? Drop.REFUSED : Drop.OTHER;
    }

    @Override
    public QueueStatistics statistics() {
        return statistics;
    }
}
