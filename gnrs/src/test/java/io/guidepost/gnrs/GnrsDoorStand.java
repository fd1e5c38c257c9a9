package io.guidepost.gnrs;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsParseResult;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.gnrs.wire.TableStore;
import io.guidepost.names.Exchange;
import io.guidepost.store.RecordStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * A door on its stand: datagrams go in one at a time, the store commits, and all answers are collected. The clock stands
 * still until a test moves it.
 */
public final class GnrsDoorStand {
    static final int PORT = 4001;

    /** A source that is not trusted. */
    public static final Peer CLIENT = Peer.of("192.0.2.1", PORT);

    /** A source that is. */
    public static final Peer LOOPBACK = Peer.of("127.0.0.1", PORT);

    /** Where a datagram came from or went to. */
    public record Peer(long high, long low, int port) {
        public static Peer of(String address, int port) {
            byte[] bytes = InetAddress.ofLiteral(address).getAddress();
            MemorySegment segment = MemorySegment.ofArray(bytes);
            return bytes.length == 4
                    ? new Peer(Addresses.IPV4_HIGH, Addresses.ipv4Low(segment.get(GnrsWire.INT, 0)), port)
                    : new Peer(segment.get(GnrsWire.LONG, 0), segment.get(GnrsWire.LONG, 8), port);
        }
    }

    /** An answer as it would leave. */
    public record Answer(byte[] bytes, Peer to) {
        public GnrsMessage message() {
            try {
                return GnrsMessage.read(bytes);
            } catch (Malformed e) {
                throw new AssertionError("the door's own answer is refused by its codec", e);
            }
        }
    }

    public long now = 1_700_000_000_000L;
    long nanos;
    public Placer placer = Placer.EVERYTHING_HERE;
    public Peer local = Peer.of("127.0.0.1", 5001);
    int roomLength = 65_507;
    public final List<Runnable> engine = new ArrayList<>();
    boolean engineClosed;
    int wakes;

    /** The store of most tests. */
    public final TableStore store = new TableStore(() -> now);

    public final GnrsDoor door;
    private final Runnable commit;
    private final Exchange exchange = new Exchange();
    private final MemorySegment question = Arena.ofAuto().allocate(65_536);
    private final MemorySegment room = Arena.ofAuto().allocate(65_536);

    public GnrsDoorStand() {
        this(open());
    }

    /** The default settings, of a door at which all may write. */
    public static GnrsSettings open() {
        GnrsSettings d = GnrsSettings.defaults();
        return new GnrsSettings(
                d.bindingsMax(),
                d.answerBytesMax(),
                d.amplificationMax(),
                d.trusted(),
                List.of(new Prefix(0, 0, 0)),
                0,
                0,
                d.ttlDefaultMillis(),
                d.expiryDefaultMillis(),
                d.writesInFlightMax(),
                d.lookupsDeferredMax(),
                d.advertised());
    }

    public GnrsDoorStand(GnrsSettings settings) {
        commit = store::commit;
        door = door(settings, store);
    }

    /** A stand with another store than its own, and how to make that commit. */
    public GnrsDoorStand(GnrsSettings settings, RecordStore other, Runnable commit) {
        this.commit = commit;
        door = door(settings, other);
    }

    private GnrsDoor door(GnrsSettings settings, RecordStore records) {
        return new GnrsDoor(
                () -> settings,
                (segment, offset) -> placer.isHere(segment, offset),
                records,
                () -> wakes++,
                task -> {
                    if (engineClosed) {
                        throw new RejectedExecutionException("closed");
                    }
                    engine.add(task);
                },
                () -> nanos += 1000,
                42,
                null);
    }

    /** Takes one datagram and everything that comes of it at once or after a commit. */
    public List<Answer> ask(Peer peer, byte[] datagram) {
        List<Answer> answers = take(peer, datagram);
        answers.addAll(settle());
        return answers;
    }

    /** Takes one datagram; nothing is committed. */
    public List<Answer> take(Peer peer, byte[] datagram) {
        return burst(peer, List.of(datagram));
    }

    /** Takes datagrams of one burst; nothing is committed. */
    List<Answer> burst(Peer peer, List<byte[]> datagrams) {
        List<Answer> answers = new ArrayList<>();
        door.begin(now);
        datagrams.forEach(this::ahead);
        for (byte[] each : datagrams) {
            takeOne(peer, each, answers);
        }
        drain(answers);
        door.end();
        return answers;
    }

    /** A datagram and where it comes from. */
    record Sent(Peer peer, byte[] datagram) {}

    /** A turn of a worker: takes datagrams, and gives so many answers at most. */
    List<Answer> turn(List<Sent> datagrams, int answersMax) {
        List<Answer> answers = new ArrayList<>();
        door.begin(now);
        datagrams.forEach(each -> ahead(each.datagram));
        for (Sent each : datagrams) {
            takeOne(each.peer, each.datagram, answers);
        }
        exchange.room(room, 0, roomLength);
        while (answers.size() < answersMax && door.next(exchange)) {
            answers.add(answer());
            exchange.room(room, 0, roomLength);
        }
        door.end();
        return answers;
    }

    /** Shows a datagram where nothing may be read behind its end. */
    private void ahead(byte[] datagram) {
        door.prefetch(MemorySegment.ofArray(datagram), 0, datagram.length);
    }

    private void takeOne(Peer peer, byte[] datagram, List<Answer> answers) {
        MemorySegment.copy(datagram, 0, question, GnrsWire.BYTE, 0, datagram.length);
        exchange.request(question, 0, datagram.length, now);
        exchange.peer(peer.high, peer.low, peer.port);
        exchange.local(local.high, local.low, local.port);
        exchange.room(room, 0, roomLength);
        door.take(exchange);
        if (exchange.responseLength() > 0) {
            answers.add(answer());
        }
    }

    /** Commits, lets the engine answer, and collects what comes out. */
    public List<Answer> settle() {
        commit.run();
        List<Runnable> tasks = new ArrayList<>(engine);
        engine.clear();
        tasks.forEach(Runnable::run);
        List<Answer> answers = new ArrayList<>();
        door.begin(now);
        drain(answers);
        door.end();
        return answers;
    }

    private void drain(List<Answer> answers) {
        exchange.room(room, 0, roomLength);
        while (door.next(exchange)) {
            answers.add(answer());
            exchange.room(room, 0, roomLength);
        }
    }

    private Answer answer() {
        assertThat(exchange.responseLength()).isPositive().isLessThanOrEqualTo(roomLength);
        byte[] bytes = room.asSlice(0, exchange.responseLength()).toArray(GnrsWire.BYTE);
        return new Answer(bytes, new Peer(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort()));
    }

    /** Asks and expects exactly one answer. */
    public GnrsMessage one(Peer peer, GnrsMessage message) {
        return one(peer, message.write()).message();
    }

    /** Asks and expects exactly one answer. */
    public Answer one(Peer peer, byte[] datagram) {
        List<Answer> answers = ask(peer, datagram);
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    public long count(GnrsCount count) {
        return door.counts().get(count);
    }

    public long count(GnrsParseResult reason) {
        return door.malformed().get(reason);
    }
}
