package io.guidepost.packet.worker;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.guidepost.packet.Readiness;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Sleeps in ppoll on the descriptors of its queues and an eventfd for wake-ups.
 *
 * <pre>
 *  struct pollfd, 8 bytes: 0 int descriptor   4 short events wanted   6 short events that are
 *  struct timespec, 16 bytes: 0 long seconds   8 long nanoseconds
 * </pre>
 */
final class DescriptorPoller implements Poller {
    private static final int EFD_NONBLOCK_CLOEXEC = 0x80800;
    private static final short POLLIN = 1;
    private static final int POLLFD_BYTES = 8;
    private static final int EVENTS = 4;
    private static final int RETURNED = 6;
    private static final int TIMESPEC_BYTES = 16;
    private static final long NANOS_IN_SECOND = 1_000_000_000;

    /** Size of a signal set; the kernel requires it even with a null set. */
    private static final int SIGSET_BYTES = 8;

    private final List<Readiness.Descriptor> descriptors;
    private final MemorySegment errno = SystemCall.errno(Arena.global());
    private final MemorySegment wakeErrno = SystemCall.errno(Arena.global());
    private final MemorySegment block;
    private final int event;
    private final long polls;
    private final long time;
    private final long number;
    private final int eventReturned;
    private boolean closed;

    DescriptorPoller(List<Readiness> watched) {
        descriptors = watched.stream()
                .filter(Readiness.Descriptor.class::isInstance)
                .map(Readiness.Descriptor.class::cast)
                .toList();
        long result = SystemCall.call(errno, SystemCall.EVENTFD2, 0, EFD_NONBLOCK_CLOEXEC, 0);
        if (result < 0) {
            throw new IllegalStateException("the kernel provides no eventfd: " + SystemCall.meaning((int) -result));
        }
        event = (int) result;
        int count = descriptors.size() + 1;
        block = Arena.global().allocate((long) POLLFD_BYTES * count + TIMESPEC_BYTES + Long.BYTES, Long.BYTES);
        for (int i = 0; i < count; i++) {
            long at = (long) i * POLLFD_BYTES;
            block.set(JAVA_INT, at, i < descriptors.size() ? descriptors.get(i).number() : event);
            block.set(JAVA_SHORT, at + EVENTS, POLLIN);
        }
        descriptors.forEach(descriptor -> descriptor.hold().run());
        polls = block.address();
        time = (long) POLLFD_BYTES * count;
        number = time + TIMESPEC_BYTES;
        eventReturned = POLLFD_BYTES * (count - 1) + RETURNED;
    }

    @Override
    public void sleep(long nanos) {
        poll(polls, descriptors.size() + 1, nanos);
        if (block.get(JAVA_SHORT, eventReturned) != 0) {
            SystemCall.call(errno, SystemCall.READ, event, block.address() + number, Long.BYTES);
        }
    }

    @Override
    public void coalesce(long nanos) {
        poll(0, 0, nanos);
    }

    private void poll(long table, int count, long nanos) {
        block.set(JAVA_LONG, time, nanos / NANOS_IN_SECOND);
        block.set(JAVA_LONG, time + Long.BYTES, nanos % NANOS_IN_SECOND);
        // A signal or error ends the sleep early, and the worker checks its queues.
        SystemCall.call(errno, SystemCall.PPOLL, table, count, block.address() + time, 0, SIGSET_BYTES, 0);
    }

    @Override
    public synchronized void wake() {
        if (!closed) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment one = arena.allocateFrom(JAVA_LONG, 1);
                SystemCall.call(wakeErrno, SystemCall.WRITE, event, one.address(), Long.BYTES);
            }
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            SystemCall.call(wakeErrno, SystemCall.CLOSE, event, 0, 0);
            descriptors.forEach(descriptor -> descriptor.release().run());
        }
    }
}
