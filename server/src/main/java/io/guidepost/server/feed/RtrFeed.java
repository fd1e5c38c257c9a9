package io.guidepost.server.feed;

import io.guidepost.base.AddressText;
import io.guidepost.proximity.rpki.RtrSession;
import io.guidepost.proximity.rpki.VrpTable;
import io.guidepost.server.service.HealthCondition;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A cache of the RPKI, over RTR (RFC 8210): we connect to it, again and again. */
final class RtrFeed {
    private static final Logger LOG = System.getLogger(RtrFeed.class.getName());

    private final InetSocketAddress cache;
    private final FeedSink intake;
    private final Runnable changed;
    private final RtrSession session = new RtrSession();
    private volatile VrpTable table = VrpTable.EMPTY;
    private volatile @Nullable Socket socket;
    private volatile String unreachable = "";
    private volatile long sessions;

    /**
     * Creates it; {@link #connect} begins.
     *
     * @param changed told when the table is another one
     */
    RtrFeed(InetSocketAddress cache, FeedSink intake, Runnable changed) {
        this.cache = cache;
        this.intake = intake;
        this.changed = changed;
    }

    String label() {
        return "rpki " + AddressText.of(cache);
    }

    /** Returns what the cache tells, until that is too old. */
    VrpTable table() {
        return table;
    }

    /** Connects to the cache, again and again, until the end. */
    void connect() {
        try {
            do {
                try (Socket next = new Socket()) {
                    next.connect(cache, (int) FeedLimits.CONNECT.toMillis());
                    unreachable = "";
                    socket = next;
                    talk(next);
                } catch (IOException e) {
                    if (socket == null) {
                        unreachable = "cannot connect: " + e.getMessage();
                    }
                    session.disconnected(String.valueOf(e.getMessage()));
                } finally {
                    socket = null;
                }
            } while (!rest());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits before the next connection, and looks at the age of the data meanwhile; whether the end has come. */
    private boolean rest() throws InterruptedException {
        Duration rest = session.retrySeconds() > 0 ? Duration.ofSeconds(session.retrySeconds()) : FeedLimits.CONNECT_AGAIN;
        long until = System.nanoTime() + rest.toNanos();
        while (until - System.nanoTime() > 0) {
            if (intake.await(Duration.ofMillis(FeedLimits.TICK_MILLIS))) {
                return true;
            }
            session.tick(System.nanoTime());
            look();
        }
        return intake.isClosing();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
    private void talk(Socket next) throws IOException {
        next.setTcpNoDelay(true);
        next.setSoTimeout(FeedLimits.TICK_MILLIS);
        InputStream in = next.getInputStream();
        OutputStream out = next.getOutputStream();
        byte[] bytes = new byte[FeedLimits.READ_BYTES];
        long before = session.updates();
        boolean told = false;
        session.connected(System.nanoTime());
        while (session.state() != RtrSession.State.CLOSED) {
            out.write(session.take());
            read(in, bytes);
            session.tick(System.nanoTime());
            look();
            if (!told && session.updates() > before) {
                told = true;
                sessions++;
                LOG.log(Logger.Level.INFO, label() + " told " + table.size() + " VRPs");
            }
        }
        out.write(session.take());
        LOG.log(Logger.Level.INFO, label() + ": the session is over: " + session.reason());
    }

    private void read(InputStream in, byte[] bytes) throws IOException {
        try {
            int count = in.read(bytes);
            if (count < 0) {
                session.disconnected(intake.isClosing() ? "ended here" : "the connection was closed");
            } else {
                session.receive(bytes, 0, count, System.nanoTime());
            }
        } catch (SocketTimeoutException e) {
            if (intake.isClosing()) {
                session.disconnected("ended here");
            }
        }
    }

    private void look() {
        VrpTable now = session.table();
        if (now != table) {
            table = now;
            changed.run();
        }
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

    /** Returns why the cache does not tell; empty if it does, or is asked for the first time. */
    private String trouble() {
        String now = unreachable;
        return now.isEmpty() ? session.reason() : now;
    }

    /** Returns what is wrong with the cache. */
    Optional<HealthCondition> condition() {
        String trouble = trouble();
        if (trouble.isEmpty()) {
            return Optional.empty();
        }
        int size = table.size();
        return Optional.of(new HealthCondition("rpki-cache-lost", label() + ": " + trouble
                + (size == 0 ? "; it validates no route" : "; the " + size + " VRPs that it told count until they expire"), true));
    }

    FeedStatus status() {
        VrpTable now = table;
        boolean up = trouble().isEmpty() && session.updates() > 0;
        return new FeedStatus(
                label(),
                up,
                up ? "whole" : session.isExpired() ? "expired" : socket == null ? "connecting" : "opening",
                trouble(),
                "",
                now.ipv4(),
                now.size() - now.ipv4(),
                session.pdus(),
                session.updates(),
                session.faults(),
                Map.of(),
                sessions);
    }
}
