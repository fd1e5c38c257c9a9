package io.guidepost.server.feed;

import io.guidepost.base.Counters;
import io.guidepost.proximity.bgp.AddressFamily;
import io.guidepost.proximity.bgp.BgpCount;
import io.guidepost.proximity.bgp.BgpNotification;
import io.guidepost.proximity.bgp.BgpSession;
import io.guidepost.proximity.bgp.BgpSessionSettings;
import io.guidepost.proximity.bgp.RibPeer;
import io.guidepost.proximity.bgp.RouteExitRule;
import io.guidepost.proximity.policy.ImportPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Optional;
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
    private final BgpSessionSettings settings;
    private final FeedSink intake;
    private final RibPeer routes;
    private final Semaphore turn = new Semaphore(1);
    private volatile @Nullable Socket socket;
    private volatile @Nullable BgpSession session;
    private volatile BgpSession.State state = BgpSession.State.CLOSED;
    private volatile String reason = "";
    private volatile Optional<Long> downUntilNanos = Optional.empty();
    private volatile long sessions;
    private volatile long messagesBefore;
    private volatile long updatesBefore;
    private volatile long faultsBefore;

    BgpFeed(BgpPeer peer, BgpSessionSettings settings, FeedSink intake, RibPeer routes) {
        this.peer = peer;
        this.settings = settings;
        this.intake = intake;
        this.routes = routes;
    }

    BgpPeer peer() {
        return peer;
    }

    /** Sets what is imported of its routes, and lets a peer that had announced too many try again. */
    void policy(ImportPolicy next) {
        routes.policy(next);
        downUntilNanos = Optional.empty();
    }

    /** Returns whether it stays down, as it had announced more prefixes than it may. */
    boolean isDown() {
        return downUntilNanos.filter(until -> until - System.nanoTime() > 0).isPresent();
    }

    /** Connects to the peer, again and again, until the end. */
    void connect() {
        try {
            do {
                if (isDown()) {
                    continue;
                }
                try (Socket next = new Socket()) {
                    next.bind(new InetSocketAddress(0));
                    peer.sign((InetSocketAddress) next.getLocalSocketAddress());
                    next.connect(
                            new InetSocketAddress(peer.address(), peer.connectPort()), (int) FeedLimits.CONNECT.toMillis());
                    run(next);
                } catch (IOException e) {
                    reason = "cannot connect: " + e.getMessage();
                }
            } while (!intake.await(FeedLimits.CONNECT_AGAIN));
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
        if (!turn.tryAcquire(FeedLimits.END.toMillis(), TimeUnit.MILLISECONDS)) {
            return;
        }
        try {
            socket = next;
            talk(next, new BgpSession(settings, routes, System.nanoTime()));
        } finally {
            socket = null;
            turn.release();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One session at a time writes.
    private void talk(Socket next, BgpSession talking) {
        session = talking;
        boolean established = false;
        try {
            next.setTcpNoDelay(true);
            next.setSoTimeout(FeedLimits.TICK_MILLIS);
            InputStream in = next.getInputStream();
            OutputStream out = next.getOutputStream();
            byte[] bytes = new byte[FeedLimits.READ_BYTES];
            out.write(talking.take());
            while (talking.state() != BgpSession.State.CLOSED) {
                read(in, bytes, talking);
                if (!established && talking.state() == BgpSession.State.ESTABLISHED) {
                    established = true;
                    sessions++;
                    reason = "";
                    LOG.log(Logger.Level.INFO, peer.label() + ": the session with AS " + talking.peerAs() + " stands");
                }
                if (routes.hasExceeded()) {
                    talking.close(BgpNotification.cease(BgpNotification.PREFIXES_MAX), System.nanoTime());
                    downUntilNanos = Optional.of(System.nanoTime() + FeedLimits.DOWN.toNanos());
                    LOG.log(Logger.Level.ERROR, peer.label() + ": has announced more than max-prefixes=" + peer.prefixesMax()
                            + "; its routes go, and it stays down for " + FeedLimits.DOWN.toMinutes() + " minutes, or until a reload");
                }
                state = talking.state();
                out.write(talking.take());
                intake.told();
            }
        } catch (IOException e) {
            talking.disconnected(String.valueOf(e.getMessage()));
        }
        state = BgpSession.State.CLOSED;
        ended(talking, established);
    }

    private void read(InputStream in, byte[] bytes, BgpSession talking) throws IOException {
        try {
            int count = in.read(bytes);
            if (intake.isClosing()) {
                talking.close(BgpNotification.cease(BgpNotification.SHUTDOWN), System.nanoTime());
            } else if (count < 0) {
                talking.disconnected("the connection was closed");
            } else {
                talking.receive(bytes, 0, count, System.nanoTime());
            }
        } catch (SocketTimeoutException e) {
            if (intake.isClosing()) {
                talking.close(BgpNotification.cease(BgpNotification.SHUTDOWN), System.nanoTime());
            }
        }
        talking.tick(System.nanoTime());
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One session at a time writes.
    private void ended(BgpSession talking, boolean established) {
        reason = talking.reason();
        Counters<BgpCount> counts = talking.counts();
        session = null;
        messagesBefore += counts.get(BgpCount.MESSAGES);
        updatesBefore += counts.get(BgpCount.UPDATES);
        faultsBefore += faults(counts);
        if (established) {
            boolean wanted = isDown() || talking.endedByPeer() && talking.ending().filter(BgpNotification::isFinal).isPresent();
            routes.lost(System.nanoTime(), wanted ? 0 : intake.grace.toNanos());
        }
        LOG.log(Logger.Level.INFO, peer.label() + ": the session is over: " + reason);
    }

    static long faults(Counters<BgpCount> counts) {
        return counts.get(BgpCount.ATTRIBUTES_DISCARDED)
                + counts.get(BgpCount.TREATED_AS_WITHDRAWAL)
                + counts.get(BgpCount.LOOPED)
                + counts.get(BgpCount.REFUSED);
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
        BgpSession now = session;
        boolean up = state == BgpSession.State.ESTABLISHED;
        String told = now != null && !now.reason().isEmpty() ? now.reason() : reason;
        return new FeedStatus(
                peer.label(),
                up,
                up ? routes.isWhole(AddressFamily.IPV4) || routes.isWhole(AddressFamily.IPV6) ? "whole" : "established"
                        : isDown() ? "down" : now == null ? peer.connectPort() > 0 ? "connecting" : "waiting" : "opening",
                told,
                switch (peer.rule()) {
                    case RouteExitRule.Fixed at -> at.exit().router().toString();
                    case RouteExitRule.NextHop by -> "next-hop";
                },
                routes.routes(AddressFamily.IPV4),
                routes.routes(AddressFamily.IPV6),
                messagesBefore + (now == null ? 0 : now.counts().get(BgpCount.MESSAGES)),
                updatesBefore + (now == null ? 0 : now.counts().get(BgpCount.UPDATES)),
                faultsBefore + (now == null ? 0 : faults(now.counts())),
                FeedStatus.refused(List.of(routes)),
                sessions);
    }
}
