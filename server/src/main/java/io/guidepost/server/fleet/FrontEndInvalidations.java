package io.guidepost.server.fleet;

import io.guidepost.base.AddressText;
import io.guidepost.base.Counters;
import io.guidepost.fleet.CacheInvalidations;
import io.guidepost.gnrs.peer.MessageSeal;
import io.guidepost.gnrs.peer.PeerWire;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Invalidations by datagrams: a front end sends one to each of the others for each record that it writes. All have one list of
 * addresses; each listens at the first that is an address of its machine, and free.
 */
public final class FrontEndInvalidations implements CacheInvalidations, AutoCloseable {
    private final DatagramChannel channel;
    private final @Nullable InetSocketAddress own;
    private final List<InetSocketAddress> others;
    private final MessageSeal sealing;
    private final MessageSeal checking;
    private final ReentrantLock sending = new ReentrantLock();
    private final MemorySegment out = MemorySegment.ofArray(new byte[InvalidationMessage.BYTES_MAX]);
    private final Counters<FrontEndCount> sent = new Counters<>(FrontEndCount.class);
    private final Counters<FrontEndCount> received = new Counters<>(FrontEndCount.class);

    private FrontEndInvalidations(
            DatagramChannel channel, @Nullable InetSocketAddress own, List<InetSocketAddress> others, byte[] key) {
        this.channel = channel;
        this.own = own;
        this.others = others;
        this.sealing = new MessageSeal(key);
        this.checking = new MessageSeal(key);
    }

    /**
     * Takes the address of this front end.
     *
     * @param all addresses of all front ends, of one family; at least one
     * @param key that seals what they tell
     * @throws IOException in one line, if none of them can be had
     */
    static FrontEndInvalidations listening(List<InetSocketAddress> all, byte[] key) throws IOException {
        IOException last = null;
        for (InetSocketAddress each : all) {
            DatagramChannel channel = channel(each);
            try {
                channel.bind(each);
                List<InetSocketAddress> others = new ArrayList<>(all);
                others.remove(each);
                return new FrontEndInvalidations(channel, each, List.copyOf(others), key);
            } catch (SocketException e) {
                channel.close();
                last = e;
            }
        }
        throw new IOException("none of fleet.front-ends is an address of this machine that is free: "
                + String.join(", ", all.stream().map(AddressText::of).toList()), last);
    }

    /**
     * Takes any port, for a program that writes and answers nothing.
     *
     * @throws IOException in one line, if there is none
     */
    static FrontEndInvalidations sending(List<InetSocketAddress> all, byte[] key) throws IOException {
        return new FrontEndInvalidations(channel(all.getFirst()), null, List.copyOf(all), key);
    }

    private static DatagramChannel channel(InetSocketAddress address) throws IOException {
        return DatagramChannel.open(
                address.getAddress() instanceof Inet4Address ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
    }

    /** Returns where the others reach this front end; empty if it listens to none. */
    Optional<InetSocketAddress> own() {
        return Optional.ofNullable(own);
    }

    /** Returns the counters; those of what was sent, and of what was received. */
    List<Counters<FrontEndCount>> counts() {
        return List.of(sent, received);
    }

    @Override
    public void follow(Listener listener) {
        if (own != null) {
            Thread.ofPlatform().daemon(true).name("guidepost-front-ends").start(() -> receive(listener));
        }
    }

    private void receive(Listener listener) {
        // One byte more than the longest, so that a longer one is not taken for it.
        byte[] bytes = new byte[InvalidationMessage.BYTES_MAX + 1];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (channel.isOpen()) {
            try {
                channel.receive(buffer.clear());
                take(bytes, buffer.position(), listener);
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                // An ICMP error of a front end that is not there.
            }
        }
    }

    /** Takes a datagram of {@code length} bytes. */
    void take(byte[] bytes, int length, Listener listener) {
        MemorySegment in = MemorySegment.ofArray(bytes);
        int bare = length < PeerWire.HEADER_BYTES ? -1 : checking.check(in, 0, length);
        if (bare < 0) {
            received.count(FrontEndCount.DROPS_SEAL);
        } else if (!InvalidationMessage.isValid(in, bare)) {
            received.count(FrontEndCount.DROPS_MALFORMED);
        } else {
            received.count(FrontEndCount.INVALIDATIONS_RECEIVED);
            listener.written(InvalidationMessage.key(in, bare), InvalidationMessage.version(in));
        }
    }

    @Override
    public void written(byte[] key, long version) {
        if (others.isEmpty()) {
            return;
        }
        sending.lock();
        try {
            ByteBuffer message = out.asByteBuffer().limit(sealing.put(out, 0, InvalidationMessage.write(out, key, version)));
            for (InetSocketAddress each : others) {
                send(message.duplicate(), each);
            }
        } finally {
            sending.unlock();
        }
    }

    private void send(ByteBuffer message, InetSocketAddress to) {
        try {
            channel.send(message, to);
            sent.count(FrontEndCount.INVALIDATIONS_SENT);
        } catch (IOException e) {
            sent.count(FrontEndCount.DROPS_UNSENT);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // A socket that cannot be closed is of no use to others either.
        }
    }
}
