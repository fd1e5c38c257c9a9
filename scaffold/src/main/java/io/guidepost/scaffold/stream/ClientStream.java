package io.guidepost.scaffold.stream;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.flow.RouterClient;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The client of a stream: it finds an instance, and when a TCP connection breaks, goes to the same instance again, by any of its places,
 * and to another where the first is gone. Its own thread runs it.
 */
final class ClientStream {
    private static final byte[] NOTHING = {};
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final RouterLink link;
    private final String name;
    private final int port;
    private final List<Guid> excluded;
    private final ServiceChannel channel;
    private Guid instance;
    private List<HostLocator> locators;
    private @Nullable Guid host;
    private long theirs;
    private int epoch;
    private int opened;
    private @Nullable IOException lastFault;

    private ClientStream(
            RouterLink link, String name, int port, List<Guid> excluded, RouterClient.Resolution first, Guid object, Guid instance) {
        this.link = link;
        this.name = name;
        this.port = port;
        this.excluded = excluded;
        this.instance = instance;
        this.locators = first.locators();
        this.channel = new ServiceChannel(link, object, link.host(), link.random().nextLong(), null, null);
    }

    /**
     * Opens a stream to an instance of an object.
     *
     * @param port of an instance, where there is one; 0 for any
     * @param excluded instances that are taken only where no other is left; those that are lost come to them
     */
    static ServiceChannel connect(RouterLink link, String name, int port, List<Guid> excluded) throws IOException {
        RouterClient.Resolution first = link.resolve(name, port, excluded);
        if (first.instance() == null && !excluded.isEmpty()) {
            excluded.clear();
            first = link.resolve(name, port, excluded);
        }
        Guid object = first.object();
        Guid instance = first.instance();
        if (object == null || instance == null) {
            throw new StreamHandshake.Refused(reason(first));
        }
        ClientStream client = new ClientStream(link, name, port, excluded, first, object, instance);
        StreamConnection connection = client.openAnew(NOTHING);
        if (connection == null) {
            connection = client.another(NOTHING);
        }
        if (connection == null) {
            throw new IOException("no instance of " + name + " can be reached", client.lastFault);
        }
        link.counted(StreamCount.STREAMS_CONNECTED);
        StreamConnection begun = connection;
        Thread.ofVirtual().name("guidepost-stream-client").start(() -> client.run(begun));
        return client.channel;
    }

    private static Reason reason(RouterClient.Resolution resolution) {
        Reason reason = resolution.reason();
        return reason == null ? Reason.NO_OBJECT : reason;
    }

    private void run(StreamConnection first) {
        long progress = -1;
        long pause = 0;
        long end = 0;
        StreamConnection next = first;
        while (next != null) {
            long begin = System.nanoTime();
            channel.carry(next, opened);
            // A stream that is cut at once, again and again, before it has come further gets no more time.
            boolean further = channel.progress() != progress
                    || System.nanoTime() - begin > StreamLimits.RETRY_MILLIS_MAX * NANOS_PER_MILLI;
            progress = channel.progress();
            pause = further ? 0 : Math.clamp(2 * pause, StreamLimits.RETRY_MILLIS_LEAST, StreamLimits.RETRY_MILLIS_MAX);
            end = further ? System.nanoTime() + StreamLimits.RESUME_MILLIS_MAX * NANOS_PER_MILLI : end;
            try {
                next = channel.awaits(channel::isOver, pause) ? null : again(end);
            } catch (IOException e) {
                channel.fail(e);
                next = null;
            }
        }
    }

    /** Finds a connection in the place of one that broke; null if the stream is over. */
    private @Nullable StreamConnection again(long end) throws IOException {
        long pause = StreamLimits.RETRY_MILLIS_LEAST;
        Reason reset = channel.peerReset();
        boolean refused = reset != null;
        boolean gone = refused;
        lastFault = reset == null ? null : new StreamHandshake.Refused(reset);
        for (int tries = 1; System.nanoTime() - end < 0; tries++) {
            try {
                StreamConnection same = gone ? null : open(MessageType.RSYN, NOTHING);
                if (same != null) {
                    link.counted(StreamCount.STREAMS_RESUMED);
                    return same;
                }
                gone = true;
            } catch (IOException e) {
                lastFault = e;
            }
            byte[] continuation = channel.elsewhere(refused);
            if (continuation == null && gone) {
                exclude();
                throw new IOException("the instance is gone, and the stream cannot go on at another", lastFault);
            }
            if (continuation != null && (gone || tries > 1)) {
                StreamConnection other = another(continuation);
                if (other != null) {
                    link.counted(StreamCount.STREAMS_CONTINUED);
                    return other;
                }
            }
            if (channel.awaits(channel::isOver, pause)) {
                return null;
            }
            pause = Math.min(2 * pause, StreamLimits.RETRY_MILLIS_MAX);
        }
        exclude();
        throw new IOException("no instance can be reached", lastFault);
    }

    /** Opens the stream at another instance, or at the same if that is the only one and was started again; null if there is none now. */
    private @Nullable StreamConnection another(byte[] continuation) {
        for (int changes = 0; changes < StreamLimits.CHANGES_MAX; changes++) {
            exclude();
            RouterClient.Resolution next;
            try {
                next = link.resolve(name, port, excluded);
                if (next.instance() == null) {
                    excluded.clear();
                    next = link.resolve(name, port, excluded);
                    changes = StreamLimits.CHANGES_MAX;
                }
            } catch (IOException e) {
                lastFault = e;
                return null;
            }
            Guid other = next.instance();
            if (other == null || !channel.object().equals(next.object())) {
                return null;
            }
            instance = other;
            locators = next.locators();
            host = null;
            theirs = 0;
            StreamConnection connection = openAnew(continuation);
            if (connection != null) {
                channel.goesOn();
                return connection;
            }
        }
        return null;
    }

    private void exclude() {
        excluded.remove(instance);
        excluded.add(instance);
        if (excluded.size() > ScaffoldLimits.EXCLUDED_MAX) {
            excluded.removeFirst();
        }
    }

    private @Nullable StreamConnection openAnew(byte[] continuation) {
        try {
            return open(continuation.length == 0 ? MessageType.SYN : MessageType.RSYN, continuation);
        } catch (IOException e) {
            lastFault = e;
            return null;
        }
    }

    /**
     * Opens a connection to the instance, by the first of its places that works.
     *
     * @return null if the instance is not there: all places refuse, or its host says so
     * @throws IOException if that is not known
     */
    private @Nullable StreamConnection open(MessageType type, byte[] continuation) throws IOException {
        IOException unknown = null;
        for (HostLocator each : locators) {
            try {
                return open(each, type, continuation);
            } catch (ConnectException e) {
                // Nothing listens there.
            } catch (StreamHandshake.Refused e) {
                lastFault = e;
                return null;
            } catch (Malformed e) {
                unknown = new IOException(each + ": " + e.reason(), e);
            } catch (IOException e) {
                unknown = e;
            }
        }
        if (unknown != null) {
            throw unknown;
        }
        return null;
    }

    private StreamConnection open(HostLocator at, MessageType type, byte[] continuation) throws IOException, Malformed {
        Socket socket = new Socket();
        boolean done = false;
        link.beginDial();
        try {
            socket.connect(at.toSocketAddress(), StreamLimits.CONNECT_MILLIS_MAX);
            StreamConnection connection = new StreamConnection(socket);
            StreamHandshake handshake = new StreamHandshake(link, connection);
            // Each try has a number: the other end may have taken one whose answer was lost.
            int number = epoch++;
            StreamHandshake.Request request =
                    new StreamHandshake.Request(type, theirs, channel.id(), number, channel.object(), instance, continuation);
            Association agreed = handshake.ask(request);
            if (host != null && !host.equals(agreed.peer())) {
                throw new ConnectException("another host is at " + at);
            }
            ControlMessage answer = handshake.answered(request, agreed);
            host = agreed.peer();
            theirs = answer.senderFlow();
            opened = number;
            done = true;
            return connection;
        } finally {
            link.endDial();
            if (!done) {
                socket.close();
            }
        }
    }
}
