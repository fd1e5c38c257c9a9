package io.guidepost.packet.dpdk;

import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Keeps a queue's thread out of a device that is being closed, and makes the closing thread wait while it is inside.
 *
 * <p>Each of two threads writes one variable and reads the other's, and one of them must see the other's write
 * (Dekker). Full fences on both sides would cost the queue 5 nanoseconds a burst; instead the rare closing side makes
 * the kernel fence all threads of the process (membarrier), and the queue's side only restrains the compiler.
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

    /** Enters, on the queue's thread; false if the guard is shut. */
    boolean enter() {
        INSIDE.setOpaque(this, true);
        VarHandle.acquireFence();
        if (shut) {
            leave();
            return false;
        }
        return true;
    }

    /** Leaves. */
    void leave() {
        INSIDE.setRelease(this, false);
    }

    /** Lets the queue's thread in again, which sees what the calling thread wrote before. */
    void open() {
        shut = false;
    }

    /** Shuts the guard; returns when the queue's thread is outside. */
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
