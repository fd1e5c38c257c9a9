package io.guidepost.server.service;

import io.guidepost.names.Door;
import io.guidepost.names.Exchange;
import io.guidepost.packet.Burst;
import io.guidepost.packet.worker.DatagramHandler;

/**
 * Puts a door on a queue: points one exchange at each packet of a burst in turn and at the room of the burst that
 * leaves, so that an answer is written where it is sent from. Belongs to one worker, as its door does.
 */
public final class DoorHandler implements DatagramHandler {
    private final Door door;
    private final boolean everyAddress;
    private final long ownHigh;
    private final long ownLow;
    private final int ownPort;
    private final Exchange exchange = new Exchange();
    private long nowMillis;

    /**
     * A door at an address.
     *
     * @param everyAddress whether the port is bound to every address of the host: packets then say which was asked, and
     *     the answer leaves from that one
     * @param ownHigh address of the port, if it is bound to one
     * @param ownLow low half of that address
     */
    public DoorHandler(Door door, boolean everyAddress, long ownHigh, long ownLow, int ownPort) {
        this.door = door;
        this.everyAddress = everyAddress;
        this.ownHigh = ownHigh;
        this.ownLow = ownLow;
        this.ownPort = ownPort;
    }

    @Override
    public void begin(long now) {
        nowMillis = now;
        door.begin(now);
    }

    @Override
    public void prefetch(Burst in) {
        for (int i = 0; i < in.count(); i++) {
            door.prefetch(in.segment(), in.offset(i), in.length(i));
        }
    }

    @Override
    public void packet(Burst in, int index, Burst out) {
        exchange.request(in.segment(), in.offset(index), in.length(index), nowMillis);
        exchange.peer(in.peerHigh(index), in.peerLow(index), in.peerPort(index));
        if (everyAddress) {
            exchange.local(in.localHigh(index), in.localLow(index), ownPort);
        } else {
            exchange.local(ownHigh, ownLow, ownPort);
        }
        exchange.room(out.segment(), out.room(), out.roomBytes());
        door.take(exchange);
        if (exchange.responseLength() != 0) {
            append(out);
        }
    }

    /** Lets out the answers that had to wait, as far as the burst has room; the rest leave with the next. */
    @Override
    public void end(Burst out) {
        while (out.hasRoom()) {
            exchange.local(everyAddress ? 0 : ownHigh, everyAddress ? 0 : ownLow, ownPort);
            exchange.room(out.segment(), out.room(), out.roomBytes());
            if (!door.next(exchange)) {
                break;
            }
            if (exchange.responseLength() != 0) {
                append(out);
            }
        }
        door.end();
    }

    @Override
    public long restNanos() {
        return door.restNanos();
    }

    private void append(Burst out) {
        long high = everyAddress ? exchange.localHigh() : 0;
        long low = everyAddress ? exchange.localLow() : 0;
        out.append(
                exchange.responseLength(), exchange.peerHigh(), exchange.peerLow(), exchange.peerPort(), high, low);
    }
}
