package io.guidepost.server.gnrs;

import io.guidepost.gnrs.PeerGateway;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The relays of a worker for those of its doors from whose ports nothing is sent to other servers: all the same, but
 * the datagrams and the turns are those of the door at home.
 */
record SharedRelays(PeerGateway home) implements PeerGateway {
    @Override
    public void begin(long nowMillis) {
        home.begin(nowMillis);
    }

    @Override
    public boolean active() {
        return home.active();
    }

    @Override
    public void take(Exchange exchange) {
        home.take(exchange);
    }

    @Override
    public boolean isPeer(long high, long low, int port) {
        return home.isPeer(high, low, port);
    }

    @Override
    public boolean hasPeerIn(long network) {
        return home.hasPeerIn(network);
    }

    @Override
    public @Nullable MemorySegment remembered(MemorySegment segment, long guid) {
        return home.remembered(segment, guid);
    }

    @Override
    public long rememberedAgeMillis() {
        return home.rememberedAgeMillis();
    }

    @Override
    public int waitingMax() {
        return home.waitingMax();
    }

    @Override
    public int room() {
        return home.room();
    }

    @Override
    public boolean ownMayLag(MemorySegment segment, long guid) {
        return home.ownMayLag(segment, guid);
    }

    @Override
    public boolean fetch(MemorySegment segment, long guid, Exchange asker, Fetched fetched) {
        return home.fetch(segment, guid, asker, fetched);
    }

    @Override
    public boolean write(byte[] image, boolean append, boolean recursive, Exchange asker, Written written) {
        return home.write(image, append, recursive, asker, written);
    }

    /** Nothing: it leaves from home. */
    @Override
    public boolean next(Exchange exchange) {
        return false;
    }

    @Override
    public void end() {
        home.end();
    }

    @Override
    public long restNanos() {
        return home.restNanos();
    }
}
