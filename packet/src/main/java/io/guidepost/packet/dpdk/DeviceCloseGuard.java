package io.guidepost.packet.dpdk;

import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What keeps a queue's thread out of a device that is being closed, and the closing thread waiting while it is inside.
 *
 * <p>Each of two threads writes one variable and reads the other's, and one of them must see what the other wrote. That
 * takes a full fence on both sides, which costs the queue 5 nanoseconds for every burst, or none on one side if the other,
 * which hardly ever runs, makes the kernel fence all threads of the process (membarrier). The queue's side only needs the
 * compiler to keep the order.
 */
final class DeviceCloseGuard {
    private static final VarHandle INSIDE;
    private static final int BARRIER_EXPEDITED = 8;
    private static final int BARRIER_REGISTER_EXPEDITED = 16;

    static {
        try {
            INSIDE = MethodHandles.lookup().findVarHandle(DeviceCloseGuard.class, "inside", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        barrier(BARRIER_REGISTER_EXPEDITED);
    }

    @SuppressWarnings("unused") // Accessed through INSIDE.
    private boolean inside;

    private volatile boolean shut;

    /** Goes in, on the queue's thread; false if it is shut. */
    boolean enter() {
        INSIDE.setOpaque(this, true);
        VarHandle.acquireFence();
        if (shut) {
            leave();
            return false;
        }
        return true;
    }

    /** Comes out again. */
    void leave() {
        INSIDE.setRelease(this, false);
    }

    /** Lets nobody in any more; returns when nobody is inside. */
    void shut() {
        shut = true;
        barrier(BARRIER_EXPEDITED);
        while ((boolean) INSIDE.getVolatile(this)) {
            Thread.onSpinWait();
        }
    }

    private static void barrier(int command) {
        try (Arena arena = Arena.ofConfined()) {
            SystemCall.call(SystemCall.errno(arena), SystemCall.MEMBARRIER, command, 0, 0);
        }
    }
}
