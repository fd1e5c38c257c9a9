package io.guidepost.middlebox.nat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of mappings against maps of the JDK. */
class NatTableTest {
    private static final List<NatProtocol> PROTOCOLS = List.of(NatProtocol.values());
    private static final int PORT_MIN = 2000;
    private static final int HOST_MAX = 25;
    private static final int SHARED_MAX = 300;
    private static final long EVER = Long.MAX_VALUE >> 8;

    private record Remote(int address, int port) {}

    /** What a mapping is of; endpoint-independent ones and those of ICMP have a remote endpoint of zeros, or a port of 0. */
    private record Inside(NatProtocol protocol, int address, int port, Remote remote) {}

    private record Outside(NatProtocol protocol, int port, Remote remote) {}

    private record Mapped(int number, int port, long until) {}

    private final NatMapping copy = new NatMapping();

    /** A table of which the model knows the bounds. */
    private static final class Model {
        final Set<NatProtocol> independent;
        final int ports;
        final Map<Inside, Mapped> mappings = new HashMap<>();
        final Map<Outside, Inside> outside = new HashMap<>();

        Model(Set<NatProtocol> independent, int ports) {
            this.independent = independent;
            this.ports = ports;
        }

        Inside inside(NatProtocol protocol, int address, int port, Remote remote) {
            return new Inside(protocol, address, port, remote(protocol, remote));
        }

        Remote remote(NatProtocol protocol, Remote remote) {
            return independent.contains(protocol)
                    ? new Remote(0, 0)
                    : protocol == NatProtocol.ICMP ? new Remote(remote.address(), 0) : remote;
        }

        int refusal(Inside inside) {
            boolean isIndependent = independent.contains(inside.protocol());
            long used = mappings.keySet().stream().filter(each -> each.protocol() == inside.protocol()).count();
            if (used == (isIndependent ? ports : SHARED_MAX)) {
                return isIndependent ? NatTable.PORTS_FULL : NatTable.TABLE_FULL;
            }
            if (mappings.keySet().stream().filter(each -> each.address() == inside.address()).count() == HOST_MAX) {
                return NatTable.HOST_FULL;
            }
            boolean anyFree = IntStream.range(PORT_MIN, PORT_MIN + ports).anyMatch(port -> isFree(inside, port));
            return anyFree ? 0 : NatTable.PORTS_FULL;
        }

        boolean isFree(Inside inside, int port) {
            return port >= PORT_MIN && port < PORT_MIN + ports
                    && !outside.containsKey(new Outside(inside.protocol(), port, inside.remote()));
        }

        int expire(long now) {
            int before = mappings.size();
            mappings.values().removeIf(each -> each.until() <= now);
            outside.values().retainAll(mappings.keySet());
            return before - mappings.size();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6, 7, 8, 9, 10})
    void itHoldsWhatMapsHold(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Set<NatProtocol> independent = new HashSet<>();
        for (NatProtocol each : PROTOCOLS) {
            if ((seed >>> each.place & 1) == 0) {
                independent.add(each);
            }
        }
        Model model = new Model(independent, 20);
        NatTable table = new NatTable(PORT_MIN, PORT_MIN + 19, independent, SHARED_MAX, HOST_MAX, new SplittableRandom(seed));
        Map<Integer, Integer> refusals = new HashMap<>();
        long now = 0;
        for (int step = 0; step < 12_000; step++) {
            NatProtocol protocol = PROTOCOLS.get(random.nextInt(3));
            Remote remote = new Remote(random.nextInt(6) - 3, random.nextInt(1, 4));
            looksUpOutside(table, model, protocol, PORT_MIN - 2 + random.nextInt(24), remote);
            int address = random.nextBoolean() ? 0 : random.nextInt(40);
            Inside inside = model.inside(protocol, address, PORT_MIN - 10 + random.nextInt(30), remote);
            long path = table.path(protocol, remote.address(), remote.port());
            long until = now + random.nextInt(1, 6000);
            int state = random.nextInt(5);
            int number = finds(table, model, inside, path);
            if (number == NatTable.NONE) {
                number = adds(table, model, inside, path, until);
                refusals.merge(number < 0 ? number : 0, 1, Integer::sum);
            }
            if (number >= 0) {
                table.use(number, state, until);
                model.mappings.put(inside, new Mapped(number, copy.outsidePort(), until));
                assertThat(table.state(number)).isEqualTo(state);
                assertThat(table.isOver(number, until - 1)).isFalse();
                assertThat(table.isOver(number, until)).isTrue();
            }
            now += random.nextInt(3);
            if (step % 100 == 0) {
                assertThat(table.sweep(3 * SHARED_MAX, now)).as("seed %d, step %d", seed, step).isEqualTo(model.expire(now));
                assertThat(table.count()).isEqualTo(model.mappings.size());
            }
        }
        assertThat(refusals.keySet()).contains(0, NatTable.PORTS_FULL, NatTable.HOST_FULL);
        model.mappings.keySet().forEach(each -> finds(
                table, model, each, table.path(each.protocol(), each.remote().address(), each.remote().port())));
        model.expire(EVER);
        assertThat(table.sweep(3 * SHARED_MAX, EVER)).isPositive();
        assertThat(table.count()).isZero();
    }

    private int finds(NatTable table, Model model, Inside inside, long path) {
        int number = table.find(NatTable.holder(inside.protocol(), inside.address(), inside.port()), path, copy);
        Mapped mapped = model.mappings.get(inside);
        assertThat(number).isEqualTo(mapped == null ? NatTable.NONE : mapped.number());
        if (mapped != null) {
            assertThat(copy.outsidePort()).isEqualTo(mapped.port());
        }
        return number;
    }

    private void looksUpOutside(NatTable table, Model model, NatProtocol protocol, int port, Remote remote) {
        long path = table.path(protocol, remote.address(), remote.port());
        int number = table.findOutside(protocol, port, path, copy);
        Inside owner = model.outside.get(new Outside(protocol, port, model.remote(protocol, remote)));
        Mapped mapped = owner == null ? null : model.mappings.get(owner);
        assertThat(number).isEqualTo(mapped == null ? NatTable.NONE : mapped.number());
        if (owner != null) {
            assertThat(copy.holder()).isEqualTo(NatTable.holder(protocol, owner.address(), owner.port()));
            assertThat(copy.insideAddress()).isEqualTo(owner.address());
            assertThat(copy.insidePort()).isEqualTo(owner.port());
        }
    }

    private int adds(NatTable table, Model model, Inside inside, long path, long until) {
        int refusal = model.refusal(inside);
        int number = table.add(inside.protocol(), inside.address(), inside.port(), path, until, copy);
        assertThat(Math.min(number, 0)).isEqualTo(refusal);
        if (number >= 0) {
            assertThat(model.isFree(inside, copy.outsidePort())).isTrue();
            assertThat(model.mappings.values()).noneMatch(each -> each.number() == number);
            if (model.isFree(inside, inside.port())) {
                assertThat(copy.outsidePort()).as("the inside port is free outside").isEqualTo(inside.port());
            }
            model.outside.put(new Outside(inside.protocol(), copy.outsidePort(), inside.remote()), inside);
        }
        return number;
    }

    /** Few rows for as many hosts as may be there, so that they stand in each other's way, and move back. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aQuotaCountsWhatAMapCounts(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Integer, Integer> counts = new HashMap<>();
        int all = 0;
        HostQuota quota = new HostQuota(8, 3);
        for (int step = 0; step < 3000; step++) {
            int host = random.nextInt(-20, 20);
            int count = counts.getOrDefault(host, 0);
            if (all < 8 && count < 3 && random.nextBoolean()) {
                quota.took(host);
                counts.put(host, count + 1);
                all++;
            } else if (count > 0) {
                quota.freed(host);
                counts.put(host, count - 1);
                all--;
            }
            for (int each = -20; each < 20; each++) {
                assertThat(quota.hasRoom(each))
                        .as("seed %d, step %d, host %d", seed, step, each)
                        .isEqualTo(counts.getOrDefault(each, 0) < 3);
            }
        }
    }

    @Test
    void aSweepLooksAtSoManyAndNoMore() {
        NatTable table = new NatTable(4000, 4003, Set.of(NatProtocol.values()), 0, 9, new SplittableRandom(3));
        for (int port = 4000; port < 4003; port++) {
            table.add(NatProtocol.TCP, 1, port, 0, 5, copy);
        }
        assertThat(table.sweep(2, 5)).isEqualTo(2);
        assertThat(table.sweep(1, 5)).isEqualTo(1);
        assertThat(table.count()).isZero();
    }

    @Test
    void aHundredThousandFlowsShareFourPorts() {
        NatTable table = new NatTable(4000, 4003, Set.of(), 1 << 18, 1 << 18, new SplittableRandom(3));
        int[] ofPort = new int[4];
        for (int flow = 0; flow < 100_000; flow++) {
            long path = table.path(NatProtocol.TCP, flow, 443);
            assertThat(table.add(NatProtocol.TCP, 10 << 24 | flow >>> 8, 1024 + flow % 60_000, path, EVER, copy)).isNotNegative();
            ofPort[copy.outsidePort() - 4000]++;
        }
        assertThat(table.count()).isEqualTo(100_000);
        assertThat(IntStream.of(ofPort).min().orElseThrow()).isGreaterThan(10_000);
        for (int flow = 0; flow < 100_000; flow++) {
            long path = table.path(NatProtocol.TCP, flow, 443);
            int ports = 0;
            for (int port = 4000; port < 4004; port++) {
                if (table.findOutside(NatProtocol.TCP, port, path, copy) != NatTable.NONE) {
                    assertThat(copy.insideAddress()).isEqualTo(10 << 24 | flow >>> 8);
                    ports++;
                }
            }
            assertThat(ports).as("ports of flow %d", flow).isEqualTo(1);
        }
    }

    @Test
    void aFewFreePortsOfADestinationAreFound() {
        NatTable table = new NatTable(1024, 65535, Set.of(), 1 << 18, 1 << 18, new SplittableRandom(3));
        long path = table.path(NatProtocol.TCP, 1, 443);
        // A block of ports is in use, as of clients that count: a search from within it must not stay there.
        for (int port = 1024; port < 60_000; port++) {
            table.add(NatProtocol.TCP, port, port, path, EVER, copy);
        }
        for (int host = 0; host < 1000; host++) {
            assertThat(table.add(NatProtocol.TCP, host, 50_000, path, EVER, copy)).isNotNegative();
            assertThat(copy.outsidePort()).isGreaterThanOrEqualTo(60_000);
        }
    }

    @Test
    void threadsThatMakeFindAndEndMappingsNeverMixThem() throws Exception {
        NatTable table = new NatTable(2000, 2063, Set.of(NatProtocol.UDP), 64, 100, new SplittableRandom(6));
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Callable<Integer>> tasks = IntStream.range(0, 3).<Callable<Integer>>mapToObj(seed -> () -> {
                SplittableRandom random = new SplittableRandom(seed);
                NatMapping found = new NatMapping();
                int all = 0;
                for (int i = 0; i < 100_000; i++) {
                    // A hundred hosts for 64 mappings, each with the port of its number, and a remote endpoint of it.
                    int host = random.nextInt(100);
                    NatProtocol protocol = random.nextBoolean() ? NatProtocol.UDP : NatProtocol.TCP;
                    long holder = NatTable.holder(protocol, host, host);
                    long path = table.path(protocol, host, host);
                    int mapping = table.find(holder, path, found);
                    if (mapping == NatTable.NONE) {
                        synchronized (table) {
                            mapping = table.find(holder, path, found);
                            mapping = mapping == NatTable.NONE
                                    ? table.add(protocol, host, host, path, i + 100, found)
                                    : mapping;
                        }
                    } else {
                        all++;
                    }
                    if (mapping >= 0) {
                        assertThat(found.holder()).isEqualTo(holder);
                        assertThat(found.path() & ~0xffffL).isEqualTo(path);
                        if (table.findOutside(protocol, found.outsidePort(), path, found) != NatTable.NONE) {
                            // It may have ended meanwhile; the port is then of another host, or of none.
                            assertThat(found.insideAddress()).isEqualTo(found.insidePort());
                            assertThat(found.path() & ~0xffffL)
                                    .isEqualTo(table.path(protocol, found.insideAddress(), found.insideAddress()));
                        }
                    }
                    table.sweep(2, i);
                }
                return all;
            }).toList();
            for (Future<Integer> each : threads.invokeAll(tasks)) {
                assertThat(each.get()).isPositive();
            }
        }
        table.sweep(1000, EVER);
        assertThat(table.count()).isZero();
        for (int host = 0; host < 100; host++) {
            long path = table.path(NatProtocol.TCP, host, host);
            assertThat(table.find(NatTable.holder(NatProtocol.TCP, host, host), path, copy)).isEqualTo(NatTable.NONE);
        }
    }

    /** The mappings of others come and go, so that what stays moves in the index; a reader without a lock finds it all the same. */
    @Test
    void whatStaysIsFoundWhileOthersMove() throws Exception {
        // Half of the index is in use at most, and then entries stand in each other's way.
        Set<NatProtocol> independent = Set.of(NatProtocol.UDP, NatProtocol.ICMP);
        NatTable table = new NatTable(2000, 2000, independent, 64, 100, new SplittableRandom(6));
        int stays = 48;
        for (int remote = 0; remote < stays; remote++) {
            table.add(NatProtocol.TCP, 1, 7, table.path(NatProtocol.TCP, remote, 1), EVER, copy);
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
            Future<Integer> others = threads.submit(() -> {
                NatMapping made = new NatMapping();
                int refused = 0;
                for (int round = 0; round < 30_000; round++) {
                    synchronized (table) {
                        for (int i = 0; i < 64 - stays; i++) {
                            long path = table.path(NatProtocol.TCP, 1000 + 16 * round + i, 1);
                            refused += table.add(NatProtocol.TCP, 2, 7, path, 0, made) < 0 ? 1 : 0;
                        }
                    }
                    table.sweep(100, 0);
                }
                return refused;
            });
            int lookups = 0;
            while (!others.isDone()) {
                for (int remote = 0; remote < stays; remote++) {
                    long path = table.path(NatProtocol.TCP, remote, 1);
                    assertThat(table.findOutside(NatProtocol.TCP, 2000, path, copy) != NatTable.NONE && copy.insideAddress() == 1)
                            .as("lookup %d", lookups++)
                            .isTrue();
                }
            }
            assertThat(others.get()).isZero();
            assertThat(lookups).isPositive();
        }
    }
}
