package io.guidepost.scaffold.stream;

import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.flow.LocalService;
import io.guidepost.scaffold.flow.RouterClient;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.object.AllowedHosts;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.Tlv;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes streams to the objects that this host serves, on one TCP port. A client reaches what is offered here, and nothing else of the
 * host. Thread-safe.
 */
public final class ServiceListener implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ServiceListener.class.getName());

    /** A server's program. */
    @FunctionalInterface
    public interface Handler {
        /** Serves one stream, on a thread of its own; it is closed behind that, and reset if this throws. */
        void serve(ServiceChannel channel) throws IOException;
    }

    private record Offered(LocalService service, byte @Nullable [] key, Handler handler) {}

    private record Served(ServiceChannel channel, LocalService service) {}

    private final RouterLink link;
    private final AllowedHosts allowed;

    /** Streams that both ends have done with: a client that did not hear so may come once more. */
    private final Map<Long, Served> finished = Collections.synchronizedMap(new BoundedMap<>(StreamLimits.FINISHED_MAX));

    private final StreamAcceptor acceptor;
    private final Map<Guid, Offered> offers = new ConcurrentHashMap<>();
    private final Map<Long, Served> streams = new ConcurrentHashMap<>();

    private ServiceListener(RouterLink link, AllowedHosts allowed, InetSocketAddress at) throws IOException {
        this.link = link;
        this.allowed = allowed;
        acceptor = new StreamAcceptor(link, at, this::take);
    }

    /**
     * Listens for streams.
     *
     * @param link by which it registers
     * @param allowed hosts whose streams are taken
     * @param at where; clients come to the places of the link
     * @throws IOException if the port is taken
     */
    public static ServiceListener open(RouterLink link, AllowedHosts allowed, InetSocketAddress at) throws IOException {
        return new ServiceListener(link, allowed, at);
    }

    /**
     * Offers an object from now on.
     *
     * @param service whose protocol is {@link ServiceChannel#PROTOCOL}
     * @param key of 32 bytes, that all instances of the object share, for continuations; null if the program gives none
     */
    public void offer(LocalService service, byte @Nullable [] key, Handler handler) throws IOException {
        if (service.protocol() != ServiceChannel.PROTOCOL || key != null && key.length != Continuation.KEY_BYTES) {
            throw new IllegalArgumentException("a service of streams has the protocol " + ServiceChannel.PROTOCOL + ", and a key of "
                    + Continuation.KEY_BYTES + " bytes or none");
        }
        offers.put(service.instance(), new Offered(service, key == null ? null : key.clone(), handler));
        link.machine().tell(each -> each.register(service));
    }

    /** Returns where it listens. */
    public InetSocketAddress at() {
        return acceptor.at();
    }

    /** Returns a handler that connects each stream to a program that listens for TCP; one that cannot be had resets the stream. */
    public static Handler forwardTo(InetSocketAddress program) {
        return channel -> {
            try (Socket local = new Socket()) {
                local.connect(program, StreamLimits.CONNECT_MILLIS_MAX);
                new StreamPump(local, channel).run();
            }
        };
    }

    /** Returns what object routers say of a service. */
    public RouterClient.Registration registration(LocalService service) throws IOException {
        return link.machine().ask(each -> each.registration(service));
    }

    /** Offers an object no more. Streams that have a continuation go on elsewhere at once, others until they end. */
    public void drain(LocalService service) throws IOException {
        offers.remove(service.instance());
        link.machine().tell(each -> each.drain(service));
        for (Served each : streams.values()) {
            if (each.service().equals(service) && each.channel().hasContinuation()) {
                each.channel().reset(Reason.DRAINED);
            }
        }
    }

    /** Returns the numbers of the streams. */
    List<Long> ids() {
        return List.copyOf(streams.keySet());
    }

    private void take(Socket accepted, Runnable settled) throws IOException {
        try {
            Runnable carries = handshake(accepted);
            settled.run();
            if (carries != null) {
                carries.run();
            }
        } catch (Malformed e) {
            link.counted(StreamCount.DROPS_MALFORMED);
        }
    }

    private @Nullable Runnable handshake(Socket accepted) throws IOException, Malformed {
        StreamConnection connection = new StreamConnection(accepted);
        StreamHandshake handshake = new StreamHandshake(link, connection);
        ControlMessage asked = handshake.asked();
        Association with = handshake.agreed();
        if (with == null) {
            link.counted(StreamCount.DROPS_SEAL);
            return null;
        }
        InetAddress from = accepted.getInetAddress();
        if (!allowed.contains(with.peer(), Addresses.high(from), Addresses.low(from))) {
            link.counted(StreamCount.DROPS_NOT_ALLOWED);
            handshake.refuse(Reason.NOT_ALLOWED, with);
            return null;
        }
        boolean resumes = asked.type() == MessageType.RSYN && !asked.has(Tlv.CONTINUATION);
        return resumes ? resumed(connection, handshake, asked, with) : opened(connection, handshake, asked, with);
    }

    /** A stream comes on another connection: by the host that has it, and by no other. */
    private @Nullable Runnable resumed(
            StreamConnection connection, StreamHandshake handshake, ControlMessage asked, Association with) throws IOException {
        Served open = streams.get(asked.receiverFlow());
        Served served = open == null ? finished.get(asked.receiverFlow()) : open;
        int number = asked.epoch();
        if (served == null || !served.channel().client().equals(with.peer()) || number <= served.channel().epoch()) {
            link.counted(StreamCount.DROPS_NOT_ALLOWED);
            handshake.refuse(Reason.NO_FLOW, with);
            return null;
        }
        handshake.take(served.channel().id(), served.service(), with);
        link.counted(StreamCount.STREAMS_RESUMED);
        return () -> carry(served, connection, number);
    }

    private @Nullable Runnable opened(
            StreamConnection connection, StreamHandshake handshake, ControlMessage asked, Association with) throws IOException {
        Offered offer = asked.has(Tlv.INSTANCE) ? offers.get(asked.guid(Tlv.INSTANCE)) : null;
        if (offer == null || !offer.service().object().equals(asked.guid(Tlv.OBJECT))) {
            handshake.refuse(Reason.NO_FLOW, with);
            return null;
        }
        byte[] key = offer.key();
        Continuation restored = null;
        if (asked.has(Tlv.CONTINUATION)) {
            byte[] sealed = asked.bytes(Tlv.CONTINUATION);
            restored = key == null ? null : Continuation.open(sealed, key, offer.service().object(), with.peer());
            if (restored == null) {
                link.counted(StreamCount.DROPS_SEAL);
                handshake.refuse(Reason.NOT_ALLOWED, with);
                return null;
            }
        }
        if (streams.size() >= StreamLimits.STREAMS_MAX) {
            link.counted(StreamCount.DROPS_TOO_MANY);
            handshake.refuse(Reason.BUSY, with);
            return null;
        }
        long id = link.random().nextLong();
        ServiceChannel channel = new ServiceChannel(link, offer.service().object(), with.peer(), id, key, restored);
        int number = asked.epoch();
        handshake.take(id, offer.service(), with);
        Served served = new Served(channel, offer.service());
        streams.put(id, served);
        link.counted(StreamCount.STREAMS_SERVED);
        return () -> {
            Thread.ofVirtual().name("guidepost-stream-handler").start(() -> serve(offer.handler(), channel));
            carry(served, connection, number);
        };
    }

    private static void serve(Handler handler, ServiceChannel channel) {
        try {
            handler.serve(channel);
        } catch (IOException | RuntimeException e) {
            // Before the close: the client must not take what it has for all.
            channel.reset();
            LOG.log(Level.DEBUG, "a stream was not served to its end", e);
        } finally {
            channel.close();
        }
    }

    /** Carries a stream, and keeps it for a while when the connection is gone. */
    private void carry(Served served, StreamConnection connection, int number) {
        ServiceChannel channel = served.channel();
        channel.carry(connection, number);
        try {
            if (channel.peerReset() != null) {
                channel.fail(new IOException("the client has reset the stream"));
            }
            if (!channel.awaits(() -> channel.isCarried() || channel.isOver(), StreamLimits.KEEP_MILLIS)) {
                channel.fail(new IOException("the client comes no more"));
            }
        } catch (InterruptedIOException e) {
            channel.fail(e);
        }
        if (channel.release()) {
            finished.put(channel.id(), served);
        }
        if (channel.isOver()) {
            streams.remove(channel.id());
        }
    }

    /** Offers nothing any more, and ends all streams: those that have a continuation go on elsewhere. */
    @Override
    public void close() {
        try {
            for (Offered each : offers.values()) {
                drain(each.service());
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the object routers were not told", e);
        }
        streams.values().forEach(each -> each.channel().reset(Reason.DRAINED));
        acceptor.close();
    }
}
