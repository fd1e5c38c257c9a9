package io.guidepost.scaffold.stream;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.resume.DeliveredBytes;
import io.guidepost.scaffold.wire.Reason;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One end of a resumable stream of bytes to an object, or from a client. It outlives its TCP connections: both ends number the bytes,
 * keep what the other's program has not taken, and send it again on the next connection. Where the server's program gives
 * continuations, the stream goes on at another instance when its own is gone: the client sends again what the program had not taken
 * when it gave the last one, and compares what comes again with what it has. Methods block; one thread may read, and another write.
 *
 * <p>Bytes are in clear, as packets of a gateway are: programs that want secrecy speak TLS on the channel.
 */
public final class ServiceChannel implements ProgramStream {
    /** Stands in registrations where others have the number of TCP: for experiments (RFC 3692), which this is to IANA. */
    public static final int PROTOCOL = 253;

    /** Bytes of a state that a continuation carries. */
    public static final int STATE_BYTES_MAX = Continuation.STATE_BYTES_MAX;

    private static final byte[] NOTHING = {};

    private final RouterLink link;
    private final Guid object;
    private final Guid client;
    private final long id;
    private final byte @Nullable [] key;
    private final @Nullable Continuation restored;
    private final StreamBytes out;
    private final StreamBytes in;
    private @Nullable StreamConnection connection;
    private @Nullable IOException fault;
    private @Nullable Reason reset;
    private @Nullable Reason peerReset;
    private int epoch = -1;
    private boolean closed;

    // What goes out on this connection.
    private long sent;
    private long acked;
    private long ackedMost;
    private boolean ending;
    private boolean endSent;
    private boolean endAcked;
    private boolean peerIsReady;
    private boolean nextTold;
    private long takenTold;

    // What comes in.
    private long taken;
    private long peerEnd = -1;

    // At the server the last one that the program gave; at the client the last one that came.
    private @Nullable Continuation continuation;
    private byte[] sealed = NOTHING;
    private boolean continuationSent;
    private @Nullable DeliveredBytes delivered;
    private DeliveredBytes.@Nullable Comparison comparison;
    private long compared;

    /**
     * Creates an end.
     *
     * @param id number of the stream at this end, that others cannot guess
     * @param key seals continuations; null at clients, and where the program gives none
     * @param restored where the stream was when another instance had it; null if it begins
     */
    ServiceChannel(
            RouterLink link, Guid object, Guid client, long id, byte @Nullable [] key, @Nullable Continuation restored) {
        this.link = link;
        this.object = object;
        this.client = client;
        this.id = id;
        this.key = key;
        this.restored = restored;
        this.out = new StreamBytes(restored == null ? 0 : restored.sent());
        this.in = new StreamBytes(restored == null ? 0 : restored.taken());
        this.sent = out.end();
        this.acked = out.end();
        this.taken = in.end();
    }

    /**
     * Opens a stream to an object.
     *
     * @param name the object's, below the zone
     * @throws IOException if there is no such object, or none of its instances can be reached
     */
    public static ServiceChannel connect(RouterLink router, String name) throws IOException {
        return ClientStream.connect(router, name, 0, new ArrayList<>());
    }

    /** Returns the object that the stream leads to. */
    public Guid object() {
        return object;
    }

    /** Returns the host of the client. */
    public Guid client() {
        return client;
    }

    long id() {
        return id;
    }

    private void await(BooleanSupplier done) throws InterruptedIOException {
        while (!awaits(done, Integer.MAX_VALUE)) {}
    }

    /** Waits until something is so, at most for a time; returns whether it is. */
    synchronized boolean awaits(BooleanSupplier done, long millis) throws InterruptedIOException {
        long end = System.nanoTime() + millis * 1_000_000;
        try {
            for (long left = millis; !done.getAsBoolean() && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
                wait(left);
            }
            return done.getAsBoolean();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a stream was awaited");
        }
    }

    private void check() throws IOException {
        if (fault != null) {
            throw new IOException(fault.getMessage(), fault);
        }
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public synchronized int read(ByteBuffer to) throws IOException {
        await(() -> in.end() > taken || peerEnd >= 0 || fault != null || closed);
        if (closed || in.end() == taken && peerEnd < 0) {
            check();
        }
        if (in.end() == taken) {
            return -1;
        }
        byte[] bytes = new byte[(int) Math.min(to.remaining(), in.end() - taken)];
        in.get(taken, bytes, 0, bytes.length);
        taken += bytes.length;
        notifyAll();
        to.put(bytes);
        return bytes.length;
    }

    /** Writes all bytes; returns when they are kept here, and not when they have come. */
    @Override
    public int write(ByteBuffer from) throws IOException {
        byte[] bytes = new byte[from.remaining()];
        from.get(bytes);
        synchronized (this) {
            for (int done = 0; done < bytes.length; ) {
                await(() -> out.end() - acked < StreamLimits.WINDOW_BYTES || fault != null || closed);
                check();
                if (ending) {
                    throw new ClosedChannelException();
                }
                int some = (int) Math.min(bytes.length - done, StreamLimits.WINDOW_BYTES - (out.end() - acked));
                Continuation last = continuation;
                out.put(key == null && last != null ? Math.min(acked, last.taken()) : acked, bytes, done, some);
                done += some;
                notifyAll();
            }
            return bytes.length;
        }
    }

    /** Says that no more bytes follow; what was written still comes. */
    @Override
    public synchronized void shutdownOutput() {
        ending = true;
        notifyAll();
    }

    /**
     * Server: gives what another instance needs to go on from here, behind all that was read and written. It replaces the one before, and
     * an empty one is one too.
     *
     * @param state up to {@link #STATE_BYTES_MAX} bytes that the client cannot read
     */
    public void continuation(byte[] state) {
        byte[] seals = key;
        if (seals == null || state.length > STATE_BYTES_MAX) {
            throw new IllegalArgumentException("a continuation has up to " + STATE_BYTES_MAX + " bytes, and its instances a key");
        }
        synchronized (this) {
            Continuation next = new Continuation(taken, out.end(), state.clone());
            continuation = next;
            sealed = next.seal(seals, object, client, link.random());
            continuationSent = false;
            notifyAll();
        }
    }

    /** Server: returns the state that another instance gave; empty if the stream begins here. */
    public Optional<byte[]> restored() {
        return Optional.ofNullable(restored).map(Continuation::state);
    }

    /** Ends the stream for both programs, without an end of its bytes. */
    @Override
    public void reset() {
        reset(Reason.DEAD);
    }

    synchronized void reset(Reason reason) {
        if (reset == null && !isDone()) {
            reset = reason;
            fail(new IOException("the stream was reset: " + reason.text()));
        }
    }

    /** Ends the stream with an error for the program. */
    synchronized void fail(IOException why) {
        if (fault == null && !isDone()) {
            fault = why;
            link.counted(StreamCount.STREAMS_RESET);
        }
        notifyAll();
    }

    @Override
    public synchronized boolean isOpen() {
        return !closed;
    }

    /** Ends both directions: what was written still comes, what comes is dropped. A peer that goes on to send is reset. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            ending = true;
            taken = in.end();
            notifyAll();
        }
        Thread.ofVirtual().name("guidepost-stream-linger").start(() -> {
            try {
                for (long before = -1; before != progress() && !isOver(); ) {
                    before = progress();
                    awaits(this::isOver, StreamLimits.CLOSING_MILLIS);
                }
            } catch (InterruptedIOException e) {
                // Then it is over now.
            }
            reset(Reason.DEAD);
        });
    }

    /** Returns whether both ends have all bytes of the other, and know it. */
    boolean isDone() {
        return endAcked && peerEnd >= 0 && takenTold == peerEnd + 1;
    }

    synchronized boolean isOver() {
        return fault != null || isDone();
    }

    boolean isCarried() {
        return connection != null;
    }

    synchronized boolean hasContinuation() {
        return continuation != null;
    }

    /** Frees the room of a stream that is done; returns whether it is. */
    synchronized boolean release() {
        if (isDone() && fault == null) {
            in.release();
            out.release();
        }
        return isDone() && fault == null;
    }

    /** Returns why the other end has reset the stream; null if it has not. */
    @Nullable
    synchronized Reason peerReset() {
        return peerReset;
    }

    synchronized int epoch() {
        return epoch;
    }

    /** Returns a number that grows when the stream has come further, at whichever instance. */
    synchronized long progress() {
        return in.end() + ackedMost;
    }

    /** Client: returns the sealed continuation if the stream can go on at another instance; empty if it begins there; null if it cannot. */
    synchronized byte @Nullable [] elsewhere(boolean refused) {
        Continuation last = continuation;
        if (last != null && last.taken() >= out.first()) {
            // The program must not write over what the next instance has to get.
            acked = Math.min(acked, last.taken());
            return sealed;
        }
        return refused && last == null && acked == 0 && in.end() == 0 ? NOTHING : null;
    }

    /** Client: the stream goes on at another instance, from where its last continuation was given. */
    synchronized void goesOn() {
        Continuation last = continuation;
        DeliveredBytes known = delivered;
        if (last != null && known != null) {
            comparison = known.withoutGap() == 0 ? null : known.compare();
            compared = last.sent();
        }
        endAcked = false;
        peerReset = null;
    }

    /**
     * Carries the stream on a connection, until that breaks, another takes its place, or the stream is over.
     *
     * @param number counts the connections of the stream: an older one than before carries nothing
     */
    void carry(StreamConnection on, int number) {
        synchronized (this) {
            // A stream that was reset before its first connection is carried still: else its client would not learn of it.
            if (number <= epoch || fault != null && reset == null) {
                on.close();
                return;
            }
            if (connection != null) {
                connection.close();
            }
            connection = on;
            epoch = number;
            nextTold = false;
            peerIsReady = false;
            takenTold = -1;
            notifyAll();
        }
        Thread writer = Thread.ofVirtual().name("guidepost-stream-writer").start(() -> {
            boolean last = false;
            try {
                last = write(on);
            } catch (IOException e) {
                // The reader ends too, as the connection is closed.
            } finally {
                if (!last) {
                    on.close();
                }
            }
        });
        try (on) {
            read(on);
        } catch (Malformed e) {
            link.counted(StreamCount.DROPS_MALFORMED);
            fail(new IOException("the other end breaks the rules: " + e.reason(), e));
        } catch (IOException e) {
            // Another connection takes its place, or the stream is over.
        }
        signal();
        try {
            // What it has written counts, though the other end has closed the connection since.
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (connection == on) {
                connection = null;
            }
            notifyAll();
        }
    }

    private synchronized void signal() {
        notifyAll();
    }

    /** Writes what is due; returns whether it was the last, and the other end closes the connection. */
    private boolean write(StreamConnection on) throws IOException {
        byte[] bytes = new byte[StreamLimits.DATA_BYTES_MAX];
        while (true) {
            StreamFrame frame;
            byte[] given;
            synchronized (this) {
                boolean known = awaits(
                        () -> connection != on || on.isClosed() || isOver() || due() != null, StreamLimits.HEARTBEAT_MILLIS);
                frame = connection != on || on.isClosed() ? null : known ? due() : taken();
                given = sealed;
                if (frame == null) {
                    return false;
                }
                if (frame.kind() == StreamFrame.Kind.DATA) {
                    out.get(frame.number(), bytes, 0, frame.length());
                } else if (frame.length() > 0) {
                    System.arraycopy(given, 0, bytes, 0, frame.length());
                }
            }
            on.write(frame, bytes);
            if (frame.kind() == StreamFrame.Kind.RESET) {
                on.shutdownOutput();
                return true;
            }
            synchronized (this) {
                if (connection == on) {
                    wrote(frame, given);
                    notifyAll();
                }
            }
        }
    }

    /** Returns the frame that is to be sent now; null if none is. */
    private @Nullable StreamFrame due() {
        Reason over = reset;
        Continuation last = continuation;
        if (over != null) {
            return new StreamFrame(StreamFrame.Kind.RESET, over.number(), 0);
        }
        if (fault != null) {
            return null;
        }
        if (!nextTold) {
            return new StreamFrame(StreamFrame.Kind.NEXT, comparison == null ? in.end() : compared, 0);
        }
        StreamFrame all = taken();
        if (all.number() - takenTold >= StreamLimits.WINDOW_BYTES / 4
                || all.number() == peerEnd + 1 && all.number() != takenTold && peerEnd >= 0) {
            return all;
        }
        if (!peerIsReady) {
            return null;
        }
        long until = out.end();
        if (key != null && last != null && !continuationSent && last.sent() >= sent) {
            if (last.sent() == sent) {
                return new StreamFrame(StreamFrame.Kind.CONTINUATION, last.taken(), sealed.length);
            }
            until = last.sent();
        }
        if (sent < until) {
            return new StreamFrame(StreamFrame.Kind.DATA, sent, (int) Math.min(until - sent, StreamLimits.DATA_BYTES_MAX));
        }
        return ending && !endSent ? new StreamFrame(StreamFrame.Kind.END, sent, 0) : null;
    }

    /** What comes again to be compared counts as far as it has come: the other end has not sent more. */
    private StreamFrame taken() {
        long all = comparison != null ? Math.min(taken, compared) : taken == peerEnd ? taken + 1 : taken;
        return new StreamFrame(StreamFrame.Kind.TAKEN, all, 0);
    }

    private void wrote(StreamFrame frame, byte[] given) {
        switch (frame.kind()) {
            case NEXT -> nextTold = true;
            case TAKEN -> takenTold = frame.number();
            case CONTINUATION -> continuationSent = Arrays.equals(given, sealed);
            case DATA -> sent = frame.number() + frame.length();
            case END -> endSent = true;
            default -> {
                // A reset is the last frame, and ends the writer.
            }
        }
    }

    private void read(StreamConnection on) throws IOException, Malformed {
        while (true) {
            StreamFrame frame = on.read();
            synchronized (this) {
                if (connection != on) {
                    return;
                }
                take(frame, on.body());
                notifyAll();
            }
        }
    }

    private void take(StreamFrame frame, byte[] body) throws IOException, Malformed {
        long number = frame.number();
        switch (frame.kind()) {
            case DATA -> takeData(number, Arrays.copyOf(body, frame.length()));
            case END -> {
                if (number != in.end() || comparison != null) {
                    throw new Malformed("the stream ends at " + number + ", and has " + in.end() + " bytes", 0);
                }
                peerEnd = number;
            }
            case TAKEN -> {
                if (number > out.end() + (ending ? 1 : 0)) {
                    throw new Malformed("more was taken than was sent", 0);
                }
                acked = Math.max(acked, Math.min(number, out.end()));
                ackedMost = Math.max(acked, ackedMost);
                endAcked |= number > out.end();
            }
            case NEXT -> {
                if (peerIsReady || number < out.first() || number > out.end()) {
                    throw new Malformed("the byte " + number + " is not kept any more", 0);
                }
                sent = number;
                acked = Math.min(acked, number);
                endSent = false;
                continuationSent = false;
                peerIsReady = true;
            }
            case CONTINUATION -> {
                if (key != null || number > out.end()) {
                    throw new Malformed("this continuation is of another stream", 0);
                }
                // One that comes inside of what is compared is before the one that is known.
                if (comparison == null) {
                    continuation = new Continuation(number, in.end(), NOTHING);
                    sealed = Arrays.copyOf(body, frame.length());
                    delivered = new DeliveredBytes();
                }
            }
            case RESET -> {
                peerReset = Reason.of((int) number);
                throw new StreamHandshake.Refused(peerReset);
            }
            default -> throw new Malformed("a control message comes inside of a stream", 0);
        }
    }

    private void takeData(long number, byte[] bytes) throws Malformed {
        DeliveredBytes.Comparison now = comparison;
        byte[] fresh;
        if (now != null) {
            if (number != compared) {
                throw new Malformed("the bytes at " + number + " come where those at " + compared + " are due", 0);
            }
            fresh = now.take(bytes);
            compared += bytes.length;
            if (now.differs()) {
                throw new Malformed("another instance has sent other bytes", 0);
            }
            comparison = now.left() > 0 ? now : null;
        } else {
            if (number > in.end() || peerEnd >= 0 && number + bytes.length > peerEnd) {
                throw new Malformed("bytes are missing before " + number, 0);
            }
            fresh = Arrays.copyOfRange(bytes, (int) Math.min(bytes.length, in.end() - number), bytes.length);
        }
        if (in.end() + fresh.length - taken > StreamLimits.WINDOW_BYTES) {
            throw new Malformed("more bytes come than the window has room for", 0);
        }
        DeliveredBytes known = delivered;
        Continuation last = continuation;
        if (known != null && last != null) {
            known.take(in.end() - last.sent(), fresh);
        }
        in.put(taken, fresh, 0, fresh.length);
        if (closed && fresh.length > 0) {
            taken = in.end();
            reset(Reason.DEAD);
        }
    }
}
