package io.guidepost.scaffold.flow;

import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.KeyRollover;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Another host: what was agreed with it, where it is, and the path to it that is taken: one of the own ways, and one of its
 * locators. Belongs to one thread.
 */
final class PeerHost {
    private static final int COUNT = 156;
    private static final int LOCATORS = 160;

    /** A NAT before this host forgets no path that was used within this time (RFC 4787 section 4.3 has two minutes; many have 30 s). */
    private static final long KEEPALIVE_NANOS = 15_000 * LocalHost.MILLI;

    /** After so long it is told of a move again: by a new link a route may be there a moment later. */
    private static final long MOVE_NANOS = 5 * LocalHost.MILLI;

    /** So often it is told of a move before the time is doubled, and how often that is done. */
    private static final int MOVES_SOON = 10;

    private static final int MOVE_BACKOFF_MAX = 8;

    /** Routers are not asked more often where it is. */
    private static final long SOUGHT_NANOS = 1_000 * LocalHost.MILLI;

    /** How often the time is doubled after which it is told of keys again: up to 25 s. */
    private static final int REKEY_BACKOFF_MAX = 10;

    private final LocalHost host;
    final KeyRollover keys;
    private List<HostLocator> locators = List.of();
    private int moves;
    private int way = -1;
    private HostLocator at = new HostLocator(0, 0, 1);
    private int flows;
    private int paths;
    private boolean missed;
    private long soughtAtNanos;
    private int expecting;
    final Suspicion suspicion = new Suspicion();

    /** The number of the move that it has not acknowledged yet; 0 if there is none. */
    private long moveNonce;

    /** Whether it was heard by way of a router alone: the path is the one by which it answers first. */
    private boolean relayed;

    private int moveTries;
    private long moveAtNanos;

    /** When the other host is told of keys, because it has not used what they agree on; never, if both use the newest. */
    private long rekeyAtNanos = Long.MAX_VALUE;

    private int rekeyTries;

    /** The instance there that was named last. */
    private @Nullable Guid instance;

    /** Its row in the gateway's memory; 0 if it is not there. */
    private long row;

    PeerHost(LocalHost host, Association association) {
        this.host = host;
        this.keys = new KeyRollover(association);
    }

    Guid guid() {
        return association().peer();
    }

    /** Returns what was agreed with it, and is in use. */
    Association association() {
        return keys.now();
    }

    /** Takes what its keys agree on, before it has shown that it has that: it is told until it does. */
    void next(Association agreed) {
        keys.next(agreed);
        rekeyTries = 0;
        rekeyAt(host.nowNanos + LocalHost.RETRANSMIT_NANOS);
    }

    /** Uses what was agreed anew: the other host has started again, or one of both has another key of the hour. */
    void use(Association agreed) {
        keys.use(agreed, host.nowNanos);
        used();
    }

    private void used() {
        suspicion.heard(host.nowNanos);
        host.counts.count(FlowCount.KEYS_CHANGED);
        rekeyTries = 0;
        rekeyAt(host.nowNanos);
        keep();
    }

    /** Returns whether a message is from it, and is heard for the first time. */
    boolean check(ControlMessage message) {
        Association was = keys.now();
        boolean right = keys.check(host.seal, message, host.nowNanos);
        if (was != keys.now()) {
            used();
        }
        return right;
    }

    /** Opens a sealed packet in its place; returns its length, -1 if it is not authentic, or was taken before. */
    int open(long datagram, int length) {
        Association was = keys.now();
        int bytes = keys.open(host.data, datagram, length, host.nowNanos);
        if (was != keys.now()) {
            used();
        }
        return bytes;
    }

    /** It answers nowhere: it may have moved while this gateway was away, or has told it in vain. */
    void missed() {
        missed = true;
    }

    /** Returns whether routers are to be asked now where it is. */
    boolean isToBeFound() {
        boolean due = missed && (soughtAtNanos == 0 || host.nowNanos - soughtAtNanos >= SOUGHT_NANOS);
        if (due) {
            missed = false;
            soughtAtNanos = host.nowNanos;
        }
        return due;
    }

    /** Takes where a router says that it is, and tells it there where this host is. */
    void found(List<HostLocator> places) {
        if (!places.isEmpty() && !places.contains(at) && host.way() >= 0) {
            place(places, host.way(), places.getFirst(), FlowCount.PATHS_CHANGED_PEER);
            beginMove();
        }
    }

    /** Says when keys are to be looked at. */
    void rekeyAt(long nanos) {
        rekeyAtNanos = nanos;
    }

    /** Tells the other host of keys if that is due; returns the nanoseconds until it is. */
    long rekeyTick() {
        if (rekeyAtNanos == Long.MAX_VALUE) {
            if (!association().isWorn()) {
                return Long.MAX_VALUE;
            }
            host.changeShare();
        }
        if (rekeyAtNanos - host.nowNanos > 0) {
            return rekeyAtNanos - host.nowNanos;
        }
        Association next = keys.next();
        if (next == null && association().isBy(host.share)) {
            rekeyAtNanos = Long.MAX_VALUE;
            return Long.MAX_VALUE;
        }
        sendKeys(next == null ? MessageType.REKEY : MessageType.REKEY_ACK);
        rekeyAtNanos = host.nowNanos + (LocalHost.RETRANSMIT_NANOS << Math.min(rekeyTries, REKEY_BACKOFF_MAX));
        rekeyTries++;
        return rekeyAtNanos - host.nowNanos;
    }

    void sendKeys(MessageType type) {
        boolean tells = type == MessageType.REKEY;
        Association with = tells ? association() : keys.newest();
        host.putKeys(host.control.begin(type, 0, 0, 0, 0, with), tells ? host.share.open() : with.ownShare());
        send(with);
    }

    /** Writes into the gateway's memory, see {@link FlowMemory}, what another process needs to go on with the host. */
    void keep() {
        row = row == 0 ? host.memory.hosts.take() : row;
        if (row == 0) {
            return;
        }
        host.memory.hosts.clear(row);
        association().keep(row + Long.BYTES);
        List<HostLocator> all = new ArrayList<>(locators);
        if (all.remove(at)) {
            all.addFirst(at);
        }
        Memory.put32(row + COUNT, all.size());
        for (int i = 0; i < all.size(); i++) {
            all.get(i).write(Memory.ALL, row + LOCATORS + (long) i * HostLocator.BYTES);
        }
        Memory.slot(row, 1L << Integer.SIZE | Integer.toUnsignedLong(moves));
    }

    /** Returns a host that {@link #keep} has written; the first of its locators is taken, on whatever way is up. */
    static PeerHost kept(LocalHost host, long row) {
        PeerHost peer = new PeerHost(host, Association.kept(row + Long.BYTES));
        peer.row = row;
        peer.moves = (int) Memory.slot(row);
        List<HostLocator> all = new ArrayList<>();
        for (int i = 0; i < Math.min(Memory.i32(row + COUNT), ScaffoldLimits.LOCATORS_MAX); i++) {
            all.add(HostLocator.read(Memory.ALL, row + LOCATORS + (long) i * HostLocator.BYTES));
        }
        peer.locators = List.copyOf(all);
        peer.at = all.isEmpty() ? peer.at : all.getFirst();
        return peer;
    }

    int way() {
        return way;
    }

    HostLocator at() {
        return at;
    }

    List<HostLocator> locators() {
        return locators;
    }

    int flows() {
        return flows;
    }

    /** Returns a number of the path: with another one, what was known of the path before says nothing. */
    int paths() {
        return paths;
    }

    /** Has what is known of the path count no more. */
    void doubt() {
        paths++;
        host.offload.ask(this);
    }

    /** Returns whether some flow awaits bytes of it. */
    boolean expects() {
        return expecting > 0;
    }

    void addExpecting(int more) {
        expecting += more;
    }

    /** Returns a name of an instance there: the same for all flows that go to it, as one connection after the other names it. */
    Guid instance(Guid named) {
        Guid known = named.equals(instance) && instance != null ? instance : named;
        instance = known;
        return known;
    }

    void addFlows(int more) {
        flows += more;
        if (flows == 0) {
            host.active.remove(this);
        } else {
            host.active.add(this);
        }
    }

    /** Frees what it has in the gateway's memory. */
    void forget() {
        host.memory.hosts.free(row);
        row = 0;
    }

    /** Takes where the other host says that it is; the place where a message came from leads, as it is known to work. */
    void places(ControlMessage message, int through, HostLocator from) {
        List<HostLocator> all = new ArrayList<>(List.of(from));
        for (int i = 0; i < message.count(Tlv.LOCATOR); i++) {
            HostLocator each = message.locator(i);
            if (!all.contains(each) && all.size() < ScaffoldLimits.LOCATORS_MAX) {
                all.add(each);
            }
        }
        place(all, through, from, FlowCount.PATHS_CHANGED_PEER);
    }

    /**
     * Takes where the other host says that it is, in a message that has come by way of a router: it is told where this one is at all of
     * its places, by which a NAT of either learns of the other.
     */
    void relayed(ControlMessage message, int through) {
        if (!host.isUp(way) || locators.isEmpty()) {
            places(message, through, message.locator(0));
            relayed = true;
        }
        beginMove();
    }

    /** Takes another path, as the one before is silent. */
    void path(int through, HostLocator to) {
        place(locators, through, to, FlowCount.PATHS_CHANGED_SILENCE);
    }

    private void place(List<HostLocator> all, int through, HostLocator to, FlowCount cause) {
        if (way >= 0 && (way != through || !at.equals(to))) {
            host.counts.count(cause);
        }
        boolean same = at.equals(to) && all.equals(locators);
        if (!same) {
            host.offload.takeBackOut(this);
            doubt();
        }
        locators = List.copyOf(all);
        way = through;
        at = to;
        if (!same) {
            keep();
        }
    }

    /** Returns whether a label is of one of the places where the other host is. */
    boolean isAt(long prefix) {
        for (int i = 0; i < locators.size(); i++) {
            if (locators.get(i).high() == prefix) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a datagram comes from one of the places where the other host is. */
    boolean isAt(long high, long low, int port) {
        for (int i = 0; i < locators.size(); i++) {
            HostLocator each = locators.get(i);
            if (each.low() == low && each.high() == high && each.port() == port) {
                return true;
            }
        }
        return false;
    }

    /** Sends a carriage, which is there with its header. */
    void carry(long datagram, int length) {
        if (way >= 0) {
            host.output.toNetwork(way, at.high(), at.low(), at.port(), datagram, length);
        }
    }

    /** Seals and sends the control message that was begun. */
    void send() {
        send(association());
    }

    void send(Association with) {
        if (way >= 0) {
            host.control.send(with, way, at);
        }
    }

    /** Takes a move of the other host, which is later than those before. Returns false if it is not. */
    boolean moved(ControlMessage message, int through, HostLocator from) {
        if (message.epoch() - moves < 0) {
            return false;
        }
        boolean elsewhere = message.epoch() != moves || !at.equals(from);
        moves = message.epoch();
        places(message, through, from);
        host.control.begin(MessageType.MOVE_ACK, 0, 0, 0, moves, association())
                .longNumber(Tlv.NONCE, message.longNumber(Tlv.NONCE));
        send();
        suspicion.heard(host.nowNanos);
        return elsewhere;
    }

    /** Tells the other host that this one is elsewhere, again and again until it has heard. */
    void beginMove() {
        if (!host.isUp(way)) {
            way = host.way();
            host.counts.count(FlowCount.PATHS_CHANGED_LINK);
        }
        moveNonce = host.random.getAsLong() | 1;
        moveTries = 0;
        tellMove();
    }

    private void tellMove() {
        if (way < 0 || moveNonce == 0) {
            return;
        }
        for (HostLocator each : locators) {
            ControlWriter writer = host.control.begin(MessageType.MOVE, 0, 0, 0, host.moves, association());
            host.putLocators(writer);
            writer.longNumber(Tlv.NONCE, moveNonce);
            host.control.send(association(), way, each);
        }
        moveAtNanos = host.nowNanos + (MOVE_NANOS << Math.clamp(moveTries - MOVES_SOON, 0, MOVE_BACKOFF_MAX));
        moveTries++;
    }

    /** Takes the acknowledgment of a move; false if it is of another. */
    boolean moveAcknowledged(long nonce, int through, HostLocator from) {
        if (nonce != moveNonce) {
            return false;
        }
        moveNonce = 0;
        if (relayed) {
            relayed = false;
            List<HostLocator> all = new ArrayList<>(locators);
            all.remove(from);
            all.addFirst(from);
            place(all.subList(0, Math.min(all.size(), ScaffoldLimits.LOCATORS_MAX)), through, from, FlowCount.PATHS_CHANGED_PEER);
        }
        return true;
    }

    /** Sends a move again if that is due; returns the nanoseconds until it is. */
    long moveTick() {
        if (way < 0) {
            // Told when a way is up again.
            return Long.MAX_VALUE;
        }
        if (moveNonce == 0) {
            if (host.observed == null) {
                return Long.MAX_VALUE;
            }
            if (host.nowNanos - moveAtNanos < KEEPALIVE_NANOS) {
                return KEEPALIVE_NANOS;
            }
            beginMove();
        }
        if (moveAtNanos - host.nowNanos <= 0) {
            tellMove();
        }
        return Math.max(0, moveAtNanos - host.nowNanos);
    }

    /** Asks by every path whether the other host is there. */
    void probe() {
        for (int i = 0; i < host.ways.size(); i++) {
            for (int j = 0; host.isUp(i) && j < locators.size(); j++) {
                host.control.begin(MessageType.PATH_CHALLENGE, 0, 0, 0, 0, association())
                        .longNumber(Tlv.NONCE, suspicion.nonce(i, j));
                host.control.send(association(), i, locators.get(j));
                host.counts.count(FlowCount.PROBES_SENT);
            }
        }
    }
}
