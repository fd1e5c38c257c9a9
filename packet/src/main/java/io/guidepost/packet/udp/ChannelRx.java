package io.guidepost.packet.udp;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.stream.IntStream;

/** Receives from a channel, one call for each datagram. */
final class ChannelRx implements RxQueue {
    private final DatagramChannel channel;
    private final QueueStatistics statistics = new QueueStatistics();
    private final int capacity;
    private final int datagramBytesMax;
    private final MemorySegment memory;
    private final ByteBuffer[] slots;
    private final long stride;

    ChannelRx(DatagramChannel channel, UdpSettings settings) {
        this.channel = channel;
        capacity = settings.burstMax();
        datagramBytesMax = settings.datagramBytesMax();
        // One byte beyond the bound reveals a truncated datagram.
        stride = datagramBytesMax + 1L;
        memory = Arena.ofAuto().allocate(stride * capacity);
        slots = IntStream.range(0, capacity)
                .mapToObj(i -> memory.asSlice(i * stride, stride).asByteBuffer())
                .toArray(ByteBuffer[]::new);
    }

    @Override
    public Burst burst() {
        return new Burst(memory, capacity, 0);
    }

    @Override
    public int receive(Burst burst) {
        burst.clear();
        long bytes = 0;
        try {
            while (burst.count() < capacity) {
                ByteBuffer slot = slots[burst.count()].clear();
                statistics.call();
                if (!(channel.receive(slot) instanceof InetSocketAddress peer)) {
                    break;
                }
                bytes += take(burst, slot.position(), peer);
            }
        } catch (IOException e) {
            // A closed channel receives nothing more; other errors belong to one datagram.
            statistics.drop(channel.isOpen() ? Drop.OTHER : Drop.CLOSED, channel.isOpen() ? 1 : 0);
        }
        if (burst.count() > 0) {
            statistics.burst(burst.count(), bytes);
        }
        return burst.count();
    }

    private int take(Burst burst, int length, InetSocketAddress peer) {
        if (length > datagramBytesMax) {
            statistics.drop(Drop.TRUNCATED, 1);
            return 0;
        }
        burst.put(
                burst.count() * stride,
                length,
                Addresses.high(peer.getAddress()),
                Addresses.low(peer.getAddress()),
                peer.getPort());
        burst.add();
        return length;
    }

    @Override
    public QueueStatistics statistics() {
        return statistics;
    }

    @Override
    public Readiness readiness() {
        return new Readiness.Channel(channel);
    }
}
