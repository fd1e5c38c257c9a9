package io.guidepost.gnrs.relay;

import static io.guidepost.gnrs.relay.LookupStand.place;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Among other servers too a look-up that need not ask them allocates nothing. */
class RelayAllocationTest {
    private static final int LOOKUPS = 50_000;

    /** The compiler may go back on what it made while the first of them run: what stays is in each. */
    private static final int TRIES = 5;

    private final LookupStand stand = new LookupStand(5, ReplicationSettings.defaults());
    private final WriteStand.Node node = stand.servers.node(0);

    private void assertFree(Guid guid) {
        MemorySegment in = Arena.ofAuto().allocate(2048);
        MemorySegment out = Arena.ofAuto().allocate(2048);
        byte[] question = LookupStand.question(1, guid, true);
        MemorySegment.copy(question, 0, in, PeerWire.BYTE, 0, question.length);
        ask(in, out, question.length);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && least >= LOOKUPS / 10; i++) {
            long before = threads.getThreadAllocatedBytes(thread);
            ask(in, out, question.length);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(least).isLessThan(LOOKUPS / 10);
    }

    private void ask(MemorySegment in, MemorySegment out, int length) {
        Exchange exchange = new Exchange();
        for (int i = 0; i < LOOKUPS; i++) {
            node.door.begin(WriteStand.START_MILLIS);
            exchange.request(in, 0, length, WriteStand.START_MILLIS);
            exchange.peer(Addresses.IPV4_HIGH, Addresses.ipv4Low(0xc0000201), 5);
            exchange.room(out, 0, 2048);
            node.door.take(exchange);
            assertAnswered(exchange);
            while (node.door.next(exchange)) {
                exchange.room(out, 0, 2048);
            }
            node.door.end();
        }
    }

    private static void assertAnswered(Exchange exchange) {
        if (exchange.responseLength() == 0) {
            throw new AssertionError("it was not answered at once");
        }
    }

    @Test
    void ofTheOwnCopy() {
        Guid guid = stand.servers.guidAt(0, 0, 1);
        stand.write(node, guid, true, place(1, 60_000, 0));
        assertFree(guid);
        assertThat(node.door.counts().get(GnrsCount.LOOKUPS_FOUND)).isGreaterThan(LOOKUPS);
    }

    @Test
    void ofWhatIsRemembered() {
        Guid guid = stand.servers.guidAt(0, 1, 2);
        stand.write(stand.servers.node(3), guid, true, place(1, 60_000, 0), place(2, 60_000, 0));
        stand.told(node, guid);
        assertFree(guid);
        assertThat(node.door.counts().get(GnrsCount.CACHE_HITS)).isGreaterThan(LOOKUPS);
    }

    @Test
    void ofWhatIsKnownNotToBe() {
        Guid guid = stand.servers.guidAt(0, 1, 2);
        stand.told(node, guid);
        assertFree(guid);
        assertThat(node.door.counts().get(GnrsCount.LOOKUPS_EMPTY)).isGreaterThan(LOOKUPS);
    }
}
