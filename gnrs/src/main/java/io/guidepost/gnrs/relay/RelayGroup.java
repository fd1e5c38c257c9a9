package io.guidepost.gnrs.relay;

import io.guidepost.gnrs.replica.Deployment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/** The relays of one server, one for each worker: a response may arrive at another worker than sent the request. */
public final class RelayGroup {
    private final Deployment deployment;
    private final List<Relay> relays = new CopyOnWriteArrayList<>();

    /** Creates a group without relays; once for a deployment. */
    public RelayGroup(Deployment deployment) {
        this.deployment = deployment;
    }

    /**
     * Opens the relay of a worker's door, over a store whose index knows all records.
     *
     * @param wake called by other threads when the relay has work; must be cheap
     */
    public Relay open(Runnable wake) {
        return open(wake, Runnable::run);
    }

    /**
     * Opens the relay of a worker's door, over a store whose index may not know all records.
     *
     * @param wake called by other threads when the relay has work; must be cheap
     * @param engine runs look-ups that may wait for the disk
     */
    public synchronized Relay open(Runnable wake, Executor engine) {
        Relay relay = new Relay(deployment, relays, wake, engine);
        relays.add(relay);
        deployment.listen(relay);
        return relay;
    }
}
