package io.guidepost.gnrs.antientropy;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.peer.ChangedSettings;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.relay.RelayBound;
import io.guidepost.gnrs.relay.WriteStand;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Servers that look up, write and compare records among themselves, one of which gets whatever a peer may send it. A response
 * comes under the id of a request that is in flight, from the peer that was asked: so what is in it is read.
 */
final class PeerMessageStand {
    private static final ReplicationSettings SETTINGS = ChangedSettings.of(
            "timeoutMillis", 100, "pingMillis", 50, "compareMillis", 50, "cacheTtlMillis", 0L, "negativeTtlMillis", 0L);

    private static final int SERVERS = 4;

    /** Names that are asked for and written, in turn. */
    private static final int NAMES = 16;

    /** Requests of one type that are kept for their responses. */
    private static final int ASKED_MAX = 8;

    /** Records of other names, which messages made, until all of them are dropped. */
    private static final int RECORDS_MAX = 500;

    /** Time passes faster than a tick, so that comparisons come. */
    private static final long STEP_NANOS = 10_000_000;

    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.200"), 4001);
    private static final int IMAGE_AT = PeerWire.HEADER_BYTES + 4;

    private final AntiEntropyStand servers = new AntiEntropyStand(SERVERS, SETTINGS);
    private final AntiEntropyStand.Node target = servers.nodes.getFirst();
    private final Map<Integer, Deque<AntiEntropyStand.Datagram>> asked = new HashMap<>();
    private int turn;

    /** All that servers sent each other, as seeds; null once that is not kept. */
    private final List<byte[]> sent = new ArrayList<>();

    private boolean recording;

    static Guid name(int number) {
        return new Guid(number, 7, 1);
    }

    /** Returns messages of all types, as servers send them. */
    static List<byte[]> seeds() {
        PeerMessageStand stand = new PeerMessageStand();
        stand.recording = true;
        for (int i = 0; i < 1500; i++) {
            stand.step();
        }
        Map<Integer, List<byte[]>> byType = new HashMap<>();
        stand.sent.forEach(each -> byType.computeIfAbsent(each[PeerWire.TYPE] & 0xff, _ -> new ArrayList<>()).add(each));
        List<byte[]> seeds = new ArrayList<>();
        byType.values().forEach(each -> {
            int step = Math.max(1, each.size() / 12);
            for (int i = 0; i < each.size(); i += step) {
                seeds.add(each.get(i));
            }
        });
        byte[] forget = new byte[PeerWire.FORGET_BYTES];
        PeerWire.header(java.lang.foreign.MemorySegment.ofArray(forget), 0, PeerWire.FORGET, forget.length, 0);
        seeds.add(forget);
        return seeds;
    }

    /** Delivers what a peer sent. */
    void take(byte[] message) {
        step();
        byte[] bytes = message.clone();
        AntiEntropyStand.Datagram question = question(bytes);
        InetSocketAddress from = question == null ? servers.servers.get(1) : question.to();
        InetSocketAddress to = question == null ? servers.servers.getFirst() : question.from();
        if (question != null) {
            System.arraycopy(question.bytes(), PeerWire.ID, bytes, PeerWire.ID, 4);
        }
        servers.deliver(new AntiEntropyStand.Datagram(from, to, bytes));
        tick();
        check();
    }

    /** Returns the request that a message responds to: the one for its record, or the last of its type. */
    private AntiEntropyStand.@org.jspecify.annotations.Nullable Datagram question(byte[] message) {
        if (message.length < PeerWire.HEADER_BYTES || (message[PeerWire.TYPE] & PeerWire.RESPONSE_BIT) == 0) {
            return null;
        }
        Deque<AntiEntropyStand.Datagram> open = asked.get(message[PeerWire.TYPE] & 0x7f);
        if (open == null || open.isEmpty()) {
            return null;
        }
        int guid = IMAGE_AT + RecordImage.HEADER_BYTES + 1;
        for (AntiEntropyStand.Datagram each : open) {
            int asks = PeerWire.HEADER_BYTES;
            boolean same = each.type() == PeerWire.FETCH
                    && message.length >= guid + Guid.BYTES
                    && Arrays.equals(each.bytes(), asks, asks + Guid.BYTES, message, guid, guid + Guid.BYTES);
            if (same) {
                return each;
            }
        }
        return open.getFirst();
    }

    /** Lets a client ask for a name, or write it, so that servers have something to say. */
    private void step() {
        turn++;
        Guid name = name(turn % NAMES);
        GnrsOption[] options = {GnrsOption.recursion(true)};
        GnrsMessage message = turn % 5 == 0
                ? GnrsMessage.Insert.of(
                        turn, GnrsMessage.noOrigin(), name, List.of(WriteStand.to(turn % 7)), options)
                : new GnrsMessage.Lookup(turn, GnrsMessage.noOrigin(), name, List.of(options));
        servers.deliver(new AntiEntropyStand.Datagram(CLIENT, servers.servers.getFirst(), message.write()));
        if (turn % 64 == 0) {
            AntiEntropyStand.Node other = servers.nodes.get(1 + turn / 64 % (SERVERS - 1));
            other.write(servers.change(name, servers.millis(), false, WriteStand.to(8 + turn % 9)));
        }
        tick();
    }

    private void tick() {
        servers.nanos += STEP_NANOS;
        servers.tick();
        for (AntiEntropyStand.Datagram each : servers.sent) {
            if (each.toNode() < SERVERS && (each.type() & PeerWire.FETCH) == PeerWire.FETCH) {
                keep(each);
            }
        }
        servers.sent.clear();
    }

    private void keep(AntiEntropyStand.Datagram datagram) {
        if (recording) {
            sent.add(datagram.bytes());
        }
        if (datagram.fromNode() == target.number && (datagram.type() & PeerWire.RESPONSE_BIT) == 0) {
            Deque<AntiEntropyStand.Datagram> last = asked.computeIfAbsent(datagram.type(), _ -> new ArrayDeque<>());
            last.addFirst(datagram);
            if (last.size() > ASKED_MAX) {
                last.removeLast();
            }
        }
    }

    /** Checks that every record is whole, wherever it came from, and that no more is held than may be. */
    private void check() {
        if (target.relay().held(RelayBound.REQUESTS) > 2L * SETTINGS.relaysMax()) {
            throw new AssertionError("more requests are in flight than may be");
        }
        if (turn % 16 != 0) {
            return;
        }
        for (AntiEntropyStand.Node node : servers.nodes) {
            List<byte[]> keys = new ArrayList<>();
            node.store.images(null, (key, image) -> {
                if (key[0] != Name.Namespace.GUID.code()) {
                    return true;
                }
                try {
                    RecordImage.check(image);
                } catch (Malformed e) {
                    throw new AssertionError("a disk holds an invalid image", e);
                }
                return keys.add(key);
            });
            if (keys.size() > RECORDS_MAX) {
                keys.forEach(key -> delete(node, key));
            }
        }
    }

    private static void delete(AntiEntropyStand.Node node, byte[] key) {
        try {
            node.store.delete(Name.ofKey(key));
        } catch (Malformed e) {
            throw new AssertionError("a disk holds an invalid key", e);
        }
    }
}
