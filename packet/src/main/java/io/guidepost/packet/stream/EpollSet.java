package io.guidepost.packet.stream;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Where one thread waits for its connections: epoll(7), edge-triggered, and an event descriptor by which others wake it.
 * What came is said once: whoever hears that there is something to read must read until there is nothing more, and then
 * needs no call to be told of the next. All but {@link #wake} belongs to one thread.
 *
 * <pre>
 *  struct epoll_event, 12 bytes on x86-64, 16 elsewhere
 *   0 int events   4 (elsewhere 8) long mark, which comes back as it was given
 * </pre>
 */
public final class EpollSet implements AutoCloseable {
    /** There is something to read. */
    public static final int READABLE = 1;

    /** There is room again for what is to be sent. */
    public static final int WRITABLE = 4;

    /** The other side has ended its direction, or the connection is broken: a read says which. */
    public static final int ENDED = 0x2000 | 0x10 | 0x8;

    private static final int EDGE_TRIGGERED = 1 << 31;
    private static final int READ_END = 0x2000;
    private static final int ADD = 1;
    private static final int MODIFY = 3;
    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int EFD_NONBLOCK_CLOEXEC = 0x80800;

    /** The size of a signal set as the kernel wants it with a null set. */
    private static final int SIGSET_BYTES = 8;

    /** Events that one wait brings: more are told by the next. */
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
     * One without connections.
     *
     * @throws IOException if the process has no file numbers left for it
     */
    public EpollSet() throws IOException {
        poll = (int) checked(SystemCall.call(errno, SystemCall.EPOLL_CREATE1, EPOLL_CLOEXEC, 0, 0));
        waker = (int) checked(SystemCall.call(errno, SystemCall.EVENTFD2, 0, EFD_NONBLOCK_CLOEXEC, 0));
        // It is never read: each write is an edge.
        control(ADD, waker, READABLE | EDGE_TRIGGERED, WAKE_MARK);
    }

    private static long checked(long result) throws IOException {
        if (result < 0) {
            throw new IOException("connections cannot be waited for: " + SystemCall.meaning((int) -result));
        }
        return result;
    }

    /**
     * Watches a descriptor for what comes. It is forgotten when it is closed.
     *
     * @param mark what {@link #mark} gives back, not negative
     * @throws IOException if the kernel has no memory for it
     */
    public void add(int number, long mark) throws IOException {
        control(ADD, number, READABLE | READ_END | EDGE_TRIGGERED, mark);
    }

    /**
     * Watches one that is there for room to send as well, from now on; if there is room already, that is told.
     *
     * @throws IOException if the kernel has no memory for it
     */
    public void addWritable(int number, long mark) throws IOException {
        control(MODIFY, number, READABLE | READ_END | WRITABLE | EDGE_TRIGGERED, mark);
    }

    private void control(int operation, int number, int wanted, long mark) throws IOException {
        event.set(JAVA_INT, 0, wanted);
        event.set(JAVA_LONG_UNALIGNED, MARK, mark);
        checked(SystemCall.call(errno, SystemCall.EPOLL_CTL, poll, operation, number, event.address(), 0, 0));
    }

    /**
     * Waits until something happens.
     *
     * @param millis at most so long; 0 = only look, negative = as long as it takes
     * @return how many events there are
     */
    public int await(int millis) {
        long count = SystemCall.call(
                errno, SystemCall.EPOLL_PWAIT, poll, events.address(), EVENTS_MAX, millis, 0, SIGSET_BYTES);
        // A signal ends a wait early: nothing to handle.
        return (int) Math.max(0, count);
    }

    /** Returns what happened: {@link #READABLE}, {@link #WRITABLE} and {@link #ENDED} together. */
    public int events(int i) {
        return events.get(JAVA_INT, (long) i * EVENT_BYTES);
    }

    /** Whose event it is; negative if it was only woken. */
    public long mark(int i) {
        return events.get(JAVA_LONG_UNALIGNED, (long) i * EVENT_BYTES + MARK);
    }

    /** Ends a wait, or the next one if there is none; any thread may call. */
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
