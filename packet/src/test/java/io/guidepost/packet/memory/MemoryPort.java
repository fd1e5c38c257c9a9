package io.guidepost.packet.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.guidepost.base.AddressText;
import io.guidepost.base.Addresses;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.QueuePort;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.udp.BindRefusal;
import io.guidepost.packet.udp.UdpSettings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A port of a {@link MemoryNetwork}. */
final class MemoryPort extends QueuePort<MemoryPort.Rx, MemoryPort.Tx> {
    /** Overhead of a queued datagram: the objects around it. */
    private static final int OVERHEAD_BYTES = 64;

    private final MemoryNetwork network;
    private final UdpSettings settings;
    private final InetSocketAddress address;
    private volatile boolean closed;

    MemoryPort(MemoryNetwork network, UdpSettings settings, InetSocketAddress address) {
        super(PortLayer.DATAGRAM);
        this.network = network;
        this.settings = settings;
        this.address = address;
        for (int queue = 0; queue < settings.queues(); queue++) {
            rx.add(new Rx());
            tx.add(new Tx());
        }
    }

    /** Receives a datagram from the network; the source address selects the queue, as in the kernel. */
    void arrive(MemoryNetwork.Datagram datagram, double place) {
        rx.get(Math.floorMod(datagram.from().hashCode(), rx.size())).arrive(datagram, place);
    }

    final class Rx implements RxQueue {
        private final QueueStatistics statistics = new QueueStatistics(this::overflow);
        private final List<MemoryNetwork.Datagram> waiting = new ArrayList<>();
        private final MemorySegment memory =
                Arena.ofAuto().allocate((long) settings.burstMax() * settings.datagramBytesMax());
        private Runnable notice = () -> {};
        private long waitingBytes;
        private long overflow;

        void arrive(MemoryNetwork.Datagram datagram, double place) {
            Runnable call;
            synchronized (this) {
                if (closed || waitingBytes + datagram.bytes().length > settings.receiveBufferBytes()) {
                    overflow++;
                    return;
                }
                waiting.add((int) (place * waiting.size()), datagram);
                waitingBytes += datagram.bytes().length + OVERHEAD_BYTES;
                call = notice;
            }
            call.run();
        }

        private synchronized long overflow() {
            return overflow;
        }

        @Override
        public Burst burst() {
            return new Burst(memory, settings.burstMax(), 0);
        }

        @Override
        public int receive(Burst burst) {
            burst.clear();
            statistics.call();
            List<MemoryNetwork.Datagram> taken = take(burst.capacity());
            long bytes = 0;
            for (MemoryNetwork.Datagram datagram : taken) {
                bytes += put(burst, datagram);
            }
            if (burst.count() > 0) {
                statistics.burst(burst.count(), bytes);
            }
            return burst.count();
        }

        private synchronized List<MemoryNetwork.Datagram> take(int max) {
            List<MemoryNetwork.Datagram> first = waiting.subList(0, Math.min(closed ? 0 : max, waiting.size()));
            List<MemoryNetwork.Datagram> taken = List.copyOf(first);
            first.clear();
            taken.forEach(datagram -> waitingBytes -= datagram.bytes().length + OVERHEAD_BYTES);
            return taken;
        }

        private int put(Burst burst, MemoryNetwork.Datagram datagram) {
            int length = datagram.bytes().length;
            if (length > settings.datagramBytesMax()) {
                statistics.drop(Drop.TRUNCATED, 1);
                return 0;
            }
            long offset = (long) burst.count() * settings.datagramBytesMax();
            MemorySegment.copy(datagram.bytes(), 0, memory, JAVA_BYTE, offset, length);
            InetSocketAddress from = datagram.from();
            burst.put(
                    offset,
                    length,
                    Addresses.high(from.getAddress()),
                    Addresses.low(from.getAddress()),
                    from.getPort());
            burst.local(0, 0);
            burst.add();
            return length;
        }

        @Override
        public QueueStatistics statistics() {
            return statistics;
        }

        @Override
        public Readiness readiness() {
            return new Readiness.Notice(this::register);
        }

        private synchronized void register(Runnable call) {
            notice = call;
        }
    }

    final class Tx implements TxQueue {
        private final QueueStatistics statistics = new QueueStatistics();

        @Override
        public Burst burst() {
            long bytes = PacketLimits.transmitBytes(settings.burstMax(), settings.datagramBytesMax());
            return new Burst(Arena.ofAuto().allocate(bytes), settings.burstMax(), settings.datagramBytesMax());
        }

        @Override
        public int send(Burst burst) {
            statistics.call();
            int sent = 0;
            long bytes = 0;
            for (int i = 0; i < burst.count(); i++) {
                Drop reason = closed ? Drop.CLOSED : carry(burst, i);
                if (reason != null) {
                    statistics.drop(reason, 1);
                } else {
                    sent++;
                    bytes += burst.length(i);
                }
            }
            if (sent > 0) {
                statistics.burst(sent, bytes);
            }
            burst.clear();
            return 0;
        }

        private @Nullable Drop carry(Burst burst, int index) {
            if (burst.peerPort(index) == 0) {
                return Drop.REFUSED;
            }
            if (burst.length(index) > PacketLimits.PAYLOAD_BYTES_MAX) {
                return Drop.TOO_LARGE;
            }
            byte[] bytes = burst.segment()
                    .asSlice(burst.offset(index), burst.length(index))
                    .toArray(JAVA_BYTE);
            InetSocketAddress to = new InetSocketAddress(
                    Addresses.toInetAddress(burst.peerHigh(index), burst.peerLow(index)), burst.peerPort(index));
            return network.carry(new MemoryNetwork.Datagram(bytes, address, to));
        }

        @Override
        public QueueStatistics statistics() {
            return statistics;
        }
    }

    @Override
    public String name() {
        return "memory:" + AddressText.of(address);
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    @Override
    public void close() {
        closed = true;
        network.close(this);
    }
}
