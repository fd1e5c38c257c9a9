package io.guidepost.scaffold.object;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.wire.Reason;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the hosts of clients are told of an instance that they were given, and that is gone: it is a hint, is sent once, and is not
 * answered. All doors of a router send what waits; any thread may use it.
 */
final class ClientNotices {
    /** Notices that wait: those of an instance with as many clients as are remembered, sixteen times. */
    private static final int WAITING_MAX = 16 * Instance.CLIENTS_MAX;

    /** What one client's host is told. */
    record Notice(Guid client, Guid object, Guid instance, Reason reason) {}

    private final Queue<Notice> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final List<Runnable> wakes = new CopyOnWriteArrayList<>();

    /** Has a door be woken when there is something to send. */
    void wakes(Runnable wake) {
        wakes.add(wake);
    }

    /** Has those be told who were given an instance; beyond the bound they are not, and find out by themselves. */
    void tell(Instance instance, Reason reason) {
        List<Guid> clients = instance.takeClients();
        for (Guid each : clients) {
            if (count.get() < WAITING_MAX) {
                count.incrementAndGet();
                waiting.add(new Notice(each, instance.offer.object(), instance.guid, reason));
            }
        }
        if (!clients.isEmpty()) {
            wakes.forEach(Runnable::run);
        }
    }

    /** Takes what waits; null if nothing does. */
    @Nullable
    Notice poll() {
        Notice next = waiting.poll();
        if (next != null) {
            count.decrementAndGet();
        }
        return next;
    }
}
