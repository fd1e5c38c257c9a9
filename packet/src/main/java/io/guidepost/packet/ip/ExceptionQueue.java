package io.guidepost.packet.ip;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import org.jspecify.annotations.Nullable;

/** One queue of the port that gets what is not for the host, as the kernel by a TAP, and whose frames leave with its own. */
final class ExceptionQueue {
    private final @Nullable RxQueue rx;
    private final @Nullable TxQueue tx;
    private final @Nullable Burst leaving;
    private final @Nullable Burst coming;

    ExceptionQueue(@Nullable Port port, int queue) {
        rx = port == null ? null : port.rx(queue);
        tx = port == null ? null : port.tx(queue);
        leaving = tx == null ? null : tx.burst();
        coming = rx == null ? null : rx.burst();
    }

    boolean present() {
        return tx != null;
    }

    /** Passes a frame on. */
    void pass(InterfaceQueue host, Burst frames, int index) {
        Burst into = leaving;
        TxQueue out = tx;
        if (into == null || out == null) {
            return;
        }
        if (into.isFull()) {
            out.send(into);
        }
        host.counts.count(into.take(frames, index) ? InterfaceCount.PASSED : InterfaceCount.PASS_FULL);
    }

    /** Lets out what was passed, and takes in what comes back. */
    void exchange(InterfaceQueue host) {
        Burst into = leaving;
        Burst from = coming;
        if (into == null || from == null || tx == null || rx == null) {
            return;
        }
        if (into.count() > 0) {
            tx.send(into);
        }
        int number = rx.receive(from);
        for (int i = 0; i < number; i++) {
            if (host.pass(from, i)) {
                host.counts.count(InterfaceCount.RETURNED);
            }
        }
    }
}
