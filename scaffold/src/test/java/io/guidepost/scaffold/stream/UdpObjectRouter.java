package io.guidepost.scaffold.stream;

import io.guidepost.base.Malformed;
import io.guidepost.names.Exchange;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.object.AllowedHosts;
import io.guidepost.scaffold.object.Distance;
import io.guidepost.scaffold.object.InstanceState;
import io.guidepost.scaffold.object.ObjectDerivation;
import io.guidepost.scaffold.object.ObjectDoor;
import io.guidepost.scaffold.object.ObjectRouter;
import io.guidepost.scaffold.object.ObjectSettings;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;

/** An object router at a UDP port of loopback. */
final class UdpObjectRouter implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final EmbeddedStore store;
    private final ObjectRouter router;
    private final ObjectDoor door;
    private final DatagramChannel socket;
    private final Thread thread;

    UdpObjectRouter() throws IOException, Malformed {
        store = EmbeddedStore.open(StoreOptions.inMemory().withStepped(true).withDerivation(new ObjectDerivation()));
        ObjectSettings settings = ObjectSettings.of(AllowedHosts.parse(List.of("127.0.0.0/8")));
        router =
                ObjectRouter.open(HostKey.generate(RANDOM), () -> HostKey.generate(RANDOM), settings, store, System::nanoTime);
        door = new ObjectDoor(router, Distance.EQUAL, new byte[16], () -> {});
        socket = DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        thread = Thread.ofPlatform().daemon().start(this::run);
    }

    HostLocator at() throws IOException {
        return HostLocator.of((InetSocketAddress) socket.getLocalAddress());
    }

    /** Returns how many instances are not gone. */
    int instances() {
        return router.viewInstances(100).stream().mapToInt(each -> each.state() == InstanceState.GONE ? 0 : 1).sum();
    }

    private void run() {
        byte[] request = new byte[ScaffoldLimits.CONTROL_BYTES_MAX + 1];
        byte[] room = new byte[ScaffoldLimits.CONTROL_BYTES_MAX];
        try {
            while (true) {
                ByteBuffer in = ByteBuffer.wrap(request);
                HostLocator from = HostLocator.of((InetSocketAddress) socket.receive(in));
                Exchange exchange = new Exchange();
                exchange.request(MemorySegment.ofArray(request), 0, in.position(), System.currentTimeMillis());
                exchange.peer(from.high(), from.low(), from.port());
                exchange.room(MemorySegment.ofArray(room), 0, room.length);
                door.begin(System.currentTimeMillis());
                door.take(exchange);
                door.end();
                send(exchange, room);
                while (store.work() > 0) {}
                Exchange later = new Exchange();
                later.room(MemorySegment.ofArray(room), 0, room.length);
                while (door.next(later)) {
                    send(later, room);
                    later.room(MemorySegment.ofArray(room), 0, room.length);
                }
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void send(Exchange exchange, byte[] room) throws IOException {
        if (exchange.responseLength() > 0) {
            HostLocator to = new HostLocator(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort());
            socket.send(ByteBuffer.wrap(Arrays.copyOf(room, exchange.responseLength())), to.toSocketAddress());
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        store.close();
    }
}
