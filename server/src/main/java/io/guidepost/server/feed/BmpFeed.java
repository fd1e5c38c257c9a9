package io.guidepost.server.feed;

import io.guidepost.base.Address;
import io.guidepost.base.AddressText;
import io.guidepost.base.Counters;
import io.guidepost.proximity.bgp.AddressFamily;
import io.guidepost.proximity.bgp.BgpCount;
import io.guidepost.proximity.bgp.BmpSession;
import io.guidepost.proximity.bgp.RibPeer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One router over BMP, for as long as its connection stands. It only talks; we say nothing. */
final class BmpFeed {
    private static final Logger LOG = System.getLogger(BmpFeed.class.getName());

    private final Socket socket;
    private final Address address;
    private final FeedSink intake;
    private final BmpSession session;
    /** The name that the router had when it told of its first peer; may be empty text. */
    private volatile Optional<String> router = Optional.empty();

    private volatile List<RibPeer> peers = List.of();
    private final CountDownLatch over = new CountDownLatch(1);

    /**
     * Makes it of a connection.
     *
     * @param identified told once the router is known, before its first peer is: connections before of the same router end then
     */
    BmpFeed(Socket socket, RouterDirectory routers, FeedSink intake, Consumer<BmpFeed> identified) {
        this.socket = socket;
        this.address = BgpPeer.router(AddressText.of(socket.getInetAddress()).replaceAll("%.*", ""));
        this.intake = intake;
        this.session = new BmpSession(intake.rib, address.toString(), name -> {
            if (router.isEmpty()) {
                router = Optional.of(name);
                identified.accept(this);
            }
            return routers.find(address, name);
        });
    }

    String label() {
        String name = session.name();
        return "bmp " + address + (name.isEmpty() ? "" : " " + name);
    }

    /** Whether it is from the same router as another, by address and name: several may be behind one address. */
    boolean isOf(BmpFeed other) {
        return address.equals(other.address) && router.isPresent() && router.equals(other.router);
    }

    void run() {
        String why = "the connection was closed";
        try {
            socket.setSoTimeout(FeedLimits.TICK_MILLIS);
            socket.setKeepAlive(true);
            InputStream in = socket.getInputStream();
            byte[] bytes = new byte[FeedLimits.READ_BYTES];
            while (!session.isOver() && !intake.isClosing()) {
                try {
                    int count = in.read(bytes);
                    if (count < 0) {
                        break;
                    }
                    session.receive(bytes, 0, count);
                    peers = List.copyOf(session.peers());
                    intake.told();
                } catch (SocketTimeoutException e) {
                    // The router has nothing to say: BMP knows no keepalive.
                }
            }
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
        }
        LOG.log(Logger.Level.INFO, label() + ": over: " + (session.reason().isEmpty() ? why : session.reason()));
        session.lost(System.nanoTime(), intake.grace.toNanos());
        over.countDown();
    }

    /** Closes it, and waits until what it told is marked as lost: only then may the router tell again. */
    void end() throws InterruptedException {
        close();
        if (!over.await(FeedLimits.END.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.log(Logger.Level.WARNING, label() + ": the connection before does not end");
        }
    }

    void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is over already.
        }
    }

    FeedStatus status() {
        Counters<BgpCount> counts = session.counts();
        List<RibPeer> now = peers;
        return new FeedStatus(
                label(),
                over.getCount() > 0,
                now.size() + " peers",
                session.reason(),
                session.name(),
                now.stream().mapToLong(each -> each.routes(AddressFamily.IPV4)).sum(),
                now.stream().mapToLong(each -> each.routes(AddressFamily.IPV6)).sum(),
                counts.get(BgpCount.MESSAGES),
                counts.get(BgpCount.UPDATES),
                BgpFeed.faults(counts),
                FeedStatus.refused(now),
                1);
    }
}
