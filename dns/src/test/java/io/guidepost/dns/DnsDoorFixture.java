package io.guidepost.dns;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.base.Prefix;
import io.guidepost.dns.wire.DnsName;
import io.guidepost.names.Binding;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import org.xbill.DNS.Message;

/**
 * A door of the zone {@code names.example} over a store in memory, in a network in which 30.0.0.0/8 and 2001:db8:30::/48 are
 * nearer to 10.0.0.0/8 than 20.0.0.0/8 is, and farther from 11.0.0.0/8.
 */
final class DnsDoorFixture implements AutoCloseable {
    static final long NOW = 1_800_000_000_000L;
    static final int ROOM_BYTES = 2048;
    static final Address CLIENT = address("10.1.2.3");
    static final Address FAR_CLIENT = address("11.1.2.3");
    static final int SERIAL = 77;

    final EmbeddedStore store;
    final DnsDoor door;
    final DnsContext context;
    final EmptyNonTerminals nonTerminals = new EmptyNonTerminals(7);
    final Queue<Runnable> engine = new ArrayDeque<>();
    DnsSettings settings = settings(60);
    private final Exchange exchange = new Exchange();
    private final Arena arena = Arena.ofShared();
    private final long question = arena.allocate(1 << 16, Long.BYTES).address();
    private final long room = arena.allocate(ROOM_BYTES, Long.BYTES).address();

    DnsDoorFixture(boolean ranked) throws IOException {
        this(ranked, StoreOptions.inMemory(), RemoteNames.NONE);
    }

    DnsDoorFixture(boolean ranked, StoreOptions options, RemoteNames remote) throws IOException {
        store = EmbeddedStore.open(options.withObserver((_, key, before, after) -> nonTerminals.changed(key, before, after)));
        Ranking ranking = ranking();
        context = new DnsContext(
                () -> settings,
                store,
                () -> SERIAL,
                ranked ? () -> ranking : null,
                () -> remote,
                nonTerminals,
                engine::add,
                engine::add,
                new DnsContext.CookieSecret(1, 2));
        nonTerminals.read(store);
        door = new DnsDoor(context, () -> {});
    }

    static DnsSettings settings(int ttlSeconds) {
        return new DnsSettings(name("names.example"), List.of(name("ns1.names.example"), name("ns.example.net")), ttlSeconds,
                List.of(CLIENT.prefix()), List.of(), "server-7");
    }

    static DnsName name(String text) {
        try {
            return DnsName.parse(text);
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    static Address address(String text) {
        try {
            return Address.parse(text);
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    private static Ranking ranking() {
        try {
            Address near = Address.parse("192.0.2.1");
            OperatorNetwork network = new OperatorNetwork();
            Address far = Address.parse("192.0.2.2");
            network.topology(Topology.EMPTY
                    .with(new TopologyRouter(near, true, 1, List.of(), List.of()))
                    .with(new TopologyRouter(far, true, 1, List.of(), List.of())));
            network.add(Prefix.parse("10.0.0.0/8"), PrefixAttachment.internal(near, 0));
            network.add(Prefix.parse("2001:db8:10::/48"), PrefixAttachment.internal(near, 0));
            network.add(Prefix.parse("11.0.0.0/8"), PrefixAttachment.internal(far, 0));
            network.add(Prefix.parse("20.0.0.0/8"), PrefixAttachment.external(near, 0, 64_512, 3));
            network.add(Prefix.parse("20.0.0.0/8"), PrefixAttachment.external(far, 0, 64_512, 1));
            network.add(Prefix.parse("30.0.0.0/8"), PrefixAttachment.external(near, 0, 64_513, 1));
            network.add(Prefix.parse("30.0.0.0/8"), PrefixAttachment.external(far, 0, 64_513, 3));
            network.add(Prefix.parse("2001:db8:30::/48"), PrefixAttachment.external(near, 0, 64_514, 2));
            return Ranking.of(network, RankingFunction.STANDARD, 1);
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    /** Binds a name to places. */
    void put(String name, String... places) throws IOException {
        put(Guid.ofAscii(name), Arrays.stream(places).map(each -> Binding.of(locator(each))).toList());
    }

    void put(Guid guid, List<Binding> bindings) throws IOException {
        store.delete(Name.of(guid));
        store.put(new Record(Name.of(guid), 0, bindings, List.of()), Record.ABSENT);
    }

    static Locator locator(String text) {
        try {
            return Locator.parse(text);
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    /** Returns what a datagram is answered with; empty if it is not, or not yet. */
    byte[] ask(Address peer, byte[] bytes) {
        return ask(peer, bytes, ROOM_BYTES);
    }

    byte[] ask(Address peer, byte[] bytes, int roomBytes) {
        Memory.copy(bytes, 0, question, bytes.length);
        door.begin(NOW);
        door.prefetch(Memory.ALL, question, bytes.length);
        run(peer, bytes.length, roomBytes);
        door.end();
        return Memory.read(room, exchange.responseLength());
    }

    Message ask(byte[] bytes) throws IOException {
        return new Message(ask(CLIENT, bytes));
    }

    /** Runs what waits for the disk, and returns the response that comes then; empty if none does. */
    byte[] next() {
        while (!engine.isEmpty()) {
            engine.remove().run();
        }
        door.begin(NOW);
        exchange.room(Memory.ALL, room, ROOM_BYTES);
        boolean any = door.next(exchange);
        door.end();
        return any ? Memory.read(room, exchange.responseLength()) : new byte[0];
    }

    /** Asks the same often, a burst each; for measuring. */
    void repeat(Address peer, byte[] bytes, int times) {
        Memory.copy(bytes, 0, question, bytes.length);
        for (int i = 0; i < times; i++) {
            door.begin(NOW);
            door.prefetch(Memory.ALL, question, bytes.length);
            run(peer, bytes.length, ROOM_BYTES);
            door.end();
        }
    }

    private void run(Address peer, int length, int roomBytes) {
        exchange.request(Memory.ALL, question, length, NOW);
        exchange.peer(peer.high(), peer.low(), 4000);
        exchange.room(Memory.ALL, room, roomBytes);
        door.take(exchange);
    }

    long count(DnsCount name) {
        return door.counts().get(name);
    }

    @Override
    public void close() {
        store.close();
        arena.close();
    }
}
