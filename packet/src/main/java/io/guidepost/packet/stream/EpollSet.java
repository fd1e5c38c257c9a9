package io.guidepost.packet.stream;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.guidepost.packet.Readiness;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The edge-triggered epoll(7) of one thread's connections, with an eventfd for wake-ups. An event is reported once: its
 * handler must read until nothing is left before the next one is reported. All but {@link #wake} belongs to one thread.
 *
 * <pre>
 *  struct epoll_event, 12 bytes on x86-64, 16 elsewhere
 *   0 int events   4 (elsewhere 8) long mark, which comes back as it was given
 * </pre>
 */
public final class EpollSet implements AutoCloseable {
    /** Bytes can be read. */
    public static final int READABLE = 1;

    /** Room to send is available again. */
    public static final int WRITABLE = 4;

    /** The peer has sent FIN, or the connection is broken: a read tells which. */
    public static final int ENDED = 0x2000 | 0x10 | 0x8;

    private static final int EDGE_TRIGGERED = 1 << 31;
    private static final int READ_END = 0x2000;
    private static final int ADD = 1;
    private static final int MODIFY = 3;
    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int EFD_NONBLOCK_CLOEXEC = 0x80800;

    /** Size of a signal set; the kernel requires it even with a null set. */
    private static final int SIGSET_BYTES = 8;

    /** Events of one wait: more are reported by the next. */
    private static final int EVENTS_MAX = 512;

    private static final int MARK = System.getProperty("os.arch", "").equals("amd64") ? 4 : 8;
    private static final int EVENT_BYTES = MARK + Long.BYTES;
    private static final long WAKE_MARK = -1;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment errno = SystemCall.errno(arena);
    private final MemorySegment wakeErrno = SystemCall.errno(arena);
    private final MemorySegment one = arena.allocateFrom(JAVA_LONG, 1);
    private final MemorySegment event = arena.allocate(2L * Long.BYTES, Long.BYTES);
    private final MemorySegment events = arena.allocate((long) EVENTS_MAX * EVENT_BYTES, Long.BYTES);
    private final int poll;
    private final int waker;
    private boolean closed;

    /**
     * Creates an empty set.
     *
     * @throws IOException if the process has no descriptors left
     */
    public EpollSet() throws IOException {
        poll = (int) checked(SystemCall.call(errno, SystemCall.EPOLL_CREATE1, EPOLL_CLOEXEC, 0, 0));
        waker = (int) checked(SystemCall.call(errno, SystemCall.EVENTFD2, 0, EFD_NONBLOCK_CLOEXEC, 0));
        // The eventfd is never read: each write is an edge.
        control(ADD, waker, READABLE | EDGE_TRIGGERED, WAKE_MARK);
    }

    private static long checked(long result) throws IOException {
        if (result < 0) {
            throw new IOException("epoll cannot be created: " + SystemCall.meaning((int) -result));
        }
        return result;
    }

    /**
     * Watches a descriptor for input until it is closed.
     *
     * @param mark returned by {@link #mark}, not negative
     * @throws IOException if the kernel has no memory
     */
    public void add(int number, long mark) throws IOException {
        control(ADD, number, READABLE | READ_END | EDGE_TRIGGERED, mark);
    }

    /**
     * Also watches a descriptor for room to send; existing room is reported.
     *
     * @throws IOException if the kernel has no memory
     */
    public void addWritable(int number, long mark) throws IOException {
        control(MODIFY, number, READABLE | READ_END | WRITABLE | EDGE_TRIGGERED, mark);
    }

    private void control(int operation, int number, int wanted, long mark) throws IOException {
        event.set(JAVA_INT, 0, wanted);
        event.set(JAVA_LONG_UNALIGNED, MARK, mark);
        checked(SystemCall.call(errno, SystemCall.EPOLL_CTL, poll, operation, number, event.address(), 0, 0));
    }

    /** Returns how a worker learns of events, so that the set may grow while it sleeps; the set is closed after the worker. */
    public Readiness readiness() {
        return new Readiness.Descriptor(poll, () -> {}, () -> {});
    }

    /**
     * Waits for events.
     *
     * @param millis timeout; 0 = do not wait, negative = no timeout
     * @return number of events
     */
    public int await(int millis) {
        long count = SystemCall.call(
                errno, SystemCall.EPOLL_PWAIT, poll, events.address(), EVENTS_MAX, millis, 0, SIGSET_BYTES);
        // A signal ends a wait early.
        return (int) Math.max(0, count);
    }

    /** Returns an event's flags: {@link #READABLE}, {@link #WRITABLE} and {@link #ENDED}. */
    public int events(int i) {
        return events.get(JAVA_INT, (long) i * EVENT_BYTES);
    }

    /** Returns an event's mark; negative for a wake-up. */
    public long mark(int i) {
        return events.get(JAVA_LONG_UNALIGNED, (long) i * EVENT_BYTES + MARK);
    }

    /** Ends the current wait, or the next one; thread-safe. */
    public synchronized void wake() {
        if (!closed) {
            SystemCall.call(wakeErrno, SystemCall.WRITE, waker, one.address(), Long.BYTES);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            SystemCall.call(errno, SystemCall.CLOSE, waker, 0, 0);
            SystemCall.call(errno, SystemCall.CLOSE, poll, 0, 0);
        }
    }
}
