package io.guidepost.packet.admission;

import io.guidepost.base.DatagramClassifier;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.worker.DatagramHandler;
import io.guidepost.packet.worker.DatagramResponder;
import io.guidepost.packet.worker.DutyCycle;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/** {@link Admission} in front of one port: makes the duties of each of its queues. */
public final class PortAdmission {
    private final Admission admission;
    private final Port port;
    private final LongSupplier secrets;
    private final Optional<FloodSockets> floodSockets;
    private final List<TopTalkers> talkers = new CopyOnWriteArrayList<>();

    PortAdmission(Admission admission, Port port, LongSupplier secrets) {
        this.admission = admission;
        this.port = port;
        this.secrets = secrets;
        this.floodSockets = admission.floodSockets()
                ? port.reuseportGroup().map(group -> new FloodSockets(group, System::nanoTime))
                : Optional.empty();
    }

    /** Returns the port that it protects. */
    public Port port() {
        return port;
    }

    /** Returns the second sockets of the port; empty if the port cannot have any, or shall not. */
    public Optional<FloodSockets> floodSockets() {
        return floodSockets;
    }

    /** Returns who is busiest, a queue each; none without admission control. */
    public List<TopTalkers> talkers() {
        return talkers;
    }

    /**
     * Leaves what arrives in the kernel, for another process or until this is called again with {@code false}; a port without sockets
     * of the kernel goes on.
     */
    public void hold(boolean held) {
        if (held) {
            floodSockets.ifPresent(FloodSockets::clear);
        }
        port.reuseportGroup().ifPresent(each -> each.hold(held));
    }

    /**
     * Returns the duties of one queue, for the worker that it belongs to: to answer what the queue receives and, where there
     * are flood sockets, what they receive.
     *
     * @param handler answers what is admitted
     * @param classifier of the handler's protocol; used by the worker alone
     */
    public List<DutyCycle> duties(int queue, DatagramHandler handler, DatagramClassifier classifier) {
        DatagramHandler admitting = wrap(queue, handler, classifier);
        DutyCycle responder = new DatagramResponder(port.rx(queue), port.tx(queue), admitting);
        return floodSockets
                .<List<DutyCycle>>map(sockets -> List.of(responder, new FloodResponder(sockets, queue, admitting)))
                .orElse(List.of(responder));
    }

    /** Returns a handler that gives another one what is admitted. */
    DatagramHandler wrap(int queue, DatagramHandler handler, DatagramClassifier classifier) {
        QueueStatistics statistics = port.rx(queue).statistics();
        OverloadListener listener = floodSockets.isPresent() ? floodSockets.get()::set : OverloadListener.NONE;
        if (admission.policy() == Admission.Policy.NONE) {
            return handler;
        }
        AdmissionPolicy policy = admission.policy() == Admission.Policy.FAIR_QUEUE
                ? new FairQueue(secrets.getAsLong(), classifier, listener)
                : new MaxMinLimiter(secrets.getAsLong(), () -> statistics.drops(Drop.OVERFLOW), listener);
        TopTalkers counting = new TopTalkers(classifier);
        talkers.add(counting);
        return new AdmissionHandler(policy, handler, classifier, statistics, counting);
    }
}
