package io.guidepost.server.feed;

import io.guidepost.base.Counters;
import io.guidepost.proximity.bgp.ExitRule;
import io.guidepost.proximity.bgp.Family;
import io.guidepost.proximity.bgp.Notification;
import io.guidepost.proximity.bgp.RibPeer;
import io.guidepost.proximity.bgp.Session;
import io.guidepost.proximity.bgp.SessionCount;
import io.guidepost.proximity.bgp.SessionSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One peer over BGP: its connections, of which one at a time counts. A new one takes the place of the one before, since a
 * router that connects again has lost the other, whether we have seen that or not.
 */
final class BgpFeed {
    private static final Logger LOG = System.getLogger(BgpFeed.class.getName());

    private final BgpPeer peer;
    private final SessionSettings settings;
    private final Intake intake;
    private final RibPeer routes;
    private final Semaphore turn = new Semaphore(1);
    private volatile @Nullable Socket socket;
    private volatile @Nullable Session session;
    private volatile Session.State state = Session.State.CLOSED;
    private volatile String reason = "";
    private volatile long sessions;
    private volatile long messagesBefore;
    private volatile long updatesBefore;
    private volatile long faultsBefore;

    BgpFeed(BgpPeer peer, SessionSettings settings, Intake intake, RibPeer routes) {
        this.peer = peer;
        this.settings = settings;
        this.intake = intake;
        this.routes = routes;
    }

    BgpPeer peer() {
        return peer;
    }

    /** Connects to the peer, again and again, until the end. */
    void connect() {
        try {
            do {
                try (Socket next = new Socket()) {
                    next.bind(new InetSocketAddress(0));
                    peer.sign((InetSocketAddress) next.getLocalSocketAddress());
                    next.connect(
                            new InetSocketAddress(peer.address(), peer.connectPort()), (int) Limits.CONNECT.toMillis());
                    run(next);
                } catch (IOException e) {
                    reason = "cannot connect: " + e.getMessage();
                }
            } while (!intake.await(Limits.CONNECT_AGAIN));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs a session on a connection until either is over. */
    void run(Socket next) throws IOException, InterruptedException {
        Socket before = socket;
        if (before != null) {
            before.close();
        }
        if (!turn.tryAcquire(Limits.END.toMillis(), TimeUnit.MILLISECONDS)) {
            return;
        }
        try {
            socket = next;
            talk(next, new Session(settings, routes, System.nanoTime()));
        } finally {
            socket = null;
            turn.release();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One session at a time writes.
    private void talk(Socket next, Session talking) {
        session = talking;
        boolean established = false;
        try {
            next.setTcpNoDelay(true);
            next.setSoTimeout(Limits.TICK_MILLIS);
            InputStream in = next.getInputStream();
            OutputStream out = next.getOutputStream();
            byte[] bytes = new byte[Limits.READ_BYTES];
            out.write(talking.take());
            while (talking.state() != Session.State.CLOSED) {
                read(in, bytes, talking);
                if (!established && talking.state() == Session.State.ESTABLISHED) {
                    established = true;
                    sessions++;
                    reason = "";
                    LOG.log(Logger.Level.INFO, peer.label() + ": the session with AS " + talking.peerAs() + " stands");
                }
                state = talking.state();
                out.write(talking.take());
                intake.told();
            }
        } catch (IOException e) {
            talking.disconnected(String.valueOf(e.getMessage()));
        }
        state = Session.State.CLOSED;
        ended(talking, established);
    }

    private void read(InputStream in, byte[] bytes, Session talking) throws IOException {
        try {
            int count = in.read(bytes);
            if (intake.isClosing()) {
                talking.close(Notification.cease(Notification.SHUTDOWN), System.nanoTime());
            } else if (count < 0) {
                talking.disconnected("the connection was closed");
            } else {
                talking.receive(bytes, 0, count, System.nanoTime());
            }
        } catch (SocketTimeoutException e) {
            if (intake.isClosing()) {
                talking.close(Notification.cease(Notification.SHUTDOWN), System.nanoTime());
            }
        }
        talking.tick(System.nanoTime());
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One session at a time writes.
    private void ended(Session talking, boolean established) {
        reason = talking.reason();
        Counters<SessionCount> counts = talking.counts();
        session = null;
        messagesBefore += counts.get(SessionCount.MESSAGES);
        updatesBefore += counts.get(SessionCount.UPDATES);
        faultsBefore += faults(counts);
        if (established) {
            boolean wanted = talking.endedByPeer() && talking.ending().filter(Notification::isFinal).isPresent();
            routes.lost(System.nanoTime(), wanted ? 0 : intake.grace.toNanos());
        }
        LOG.log(Logger.Level.INFO, peer.label() + ": the session is over: " + reason);
    }

    private static long faults(Counters<SessionCount> counts) {
        return counts.get(SessionCount.ATTRIBUTES_DISCARDED)
                + counts.get(SessionCount.TREATED_AS_WITHDRAWAL)
                + counts.get(SessionCount.LOOPED)
                + counts.get(SessionCount.REFUSED);
    }

    /** Wakes the session, so that it sees that the end has come. */
    void wake() {
        Socket open = socket;
        try {
            if (open != null) {
                open.shutdownInput();
            }
        } catch (IOException e) {
            // It is over already.
        }
    }

    FeedStatus status() {
        Session now = session;
        boolean up = state == Session.State.ESTABLISHED;
        String told = now != null && !now.reason().isEmpty() ? now.reason() : reason;
        return new FeedStatus(
                peer.label(),
                up,
                up ? routes.isWhole(Family.IPV4) || routes.isWhole(Family.IPV6) ? "whole" : "established"
                        : now == null ? peer.connectPort() > 0 ? "connecting" : "waiting" : "opening",
                told,
                switch (peer.rule()) {
                    case ExitRule.Fixed at -> at.exit().router().toString();
                    case ExitRule.NextHop by -> "next-hop";
                },
                routes.routes(Family.IPV4),
                routes.routes(Family.IPV6),
                messagesBefore + (now == null ? 0 : now.counts().get(SessionCount.MESSAGES)),
                updatesBefore + (now == null ? 0 : now.counts().get(SessionCount.UPDATES)),
                faultsBefore + (now == null ? 0 : faults(now.counts())),
                sessions);
    }
}
