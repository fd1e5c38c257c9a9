package io.guidepost.handle.message;

import io.guidepost.base.Counters;
import io.guidepost.handle.HandleLimits;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reassembles messages from UDP fragments that arrive in any order. A bounded table holds unfinished messages by peer
 * and request id for five seconds from their first fragment. Not thread-safe: it belongs to one worker.
 *
 * <p>Memory grows with the bytes that arrived, not with the length that a fragment claims: a first fragment of a
 * message of 262,144 bytes costs no more than another. A fragment that contradicts earlier ones is dropped, as the
 * earlier ones may be genuine.
 */
public final class MessageReassembly {
    /** Reassembly timeout: clients retransmit after 1.5 seconds at the latest. */
    static final int WAIT_MILLIS = 5_000;

    /** Unfinished messages in all. */
    static final int MESSAGES_MAX = 1024;

    /** Unfinished messages of one host: several clients behind one NAT. */
    static final int MESSAGES_PER_HOST_MAX = 64;

    /** Bytes of unfinished messages in all: sixteen of the longest. */
    static final int BYTES_MAX = 16 * HandleLimits.MESSAGE_BYTES_MAX;

    private record Host(long high, long low) {}

    private record Key(Host host, int port, int requestId) {}

    private static final class Unfinished {
        final byte[] envelope;
        final int slices;
        final long startedMillis;
        byte[] @Nullable [] parts = new byte[4][];
        int partsThere;
        int bytes;

        Unfinished(byte[] envelope, int slices, long startedMillis) {
            this.envelope = envelope;
            this.slices = slices;
            this.startedMillis = startedMillis;
        }

        byte @Nullable [] part(int number) {
            return number < parts.length ? parts[number] : null;
        }

        void put(int number, byte[] part) {
            if (number >= parts.length) {
                parts = Arrays.copyOf(parts, Math.min(slices, Math.max(number + 1, 2 * parts.length)));
            }
            parts[number] = part;
            partsThere++;
            bytes += part.length;
        }

        byte[] joined() {
            byte[] message = Arrays.copyOf(envelope, HandleWire.ENVELOPE_BYTES + bytes);
            int at = HandleWire.ENVELOPE_BYTES;
            for (int i = 0; i < slices; i++) {
                byte[] part = parts[i];
                if (part == null) {
                    throw new AssertionError("part " + i + " of " + slices + " is missing");
                }
                System.arraycopy(part, 0, message, at, part.length);
                at += part.length;
            }
            return message;
        }
    }

    private final Map<Key, Unfinished> unfinished = new LinkedHashMap<>();
    private final Map<Host, Integer> perHost = new HashMap<>();
    private final Counters<MessagePacketCount> counters;
    private long bytes;

    /** Creates an empty table. */
    public MessageReassembly(Counters<MessagePacketCount> counters) {
        this.counters = counters;
    }

    /** Returns the number of unfinished messages. */
    public int size() {
        return unfinished.size();
    }

    /**
     * Adds a packet.
     *
     * @param peerHigh upper half of the sender's address
     * @param peerLow lower half of it
     * @param peerPort the sender's port
     * @param packet the segment that holds the packet
     * @param offset of the packet in it
     * @param length bytes of the packet
     * @param nowMillis a monotonic clock, milliseconds
     * @return the whole message with the envelope of its first packet, if this packet completes it
     */
    public Optional<byte[]> take(
            long peerHigh, long peerLow, int peerPort, MemorySegment packet, long offset, int length, long nowMillis) {
        sweep(nowMillis);
        if (length < HandleWire.ENVELOPE_BYTES) {
            return dropped(MessagePacketCount.FRAGMENTS_LENGTH);
        }
        int total = packet.get(HandleWire.INT, offset + HandleWire.LENGTH);
        int number = packet.get(HandleWire.INT, offset + HandleWire.SEQUENCE);
        int slices = MessageFragmenter.count(HandleWire.ENVELOPE_BYTES + total);
        boolean known = total >= 0 && total <= HandleLimits.MESSAGE_BYTES_MAX && number >= 0 && number < slices;
        if (!known
                || length - HandleWire.ENVELOPE_BYTES != Math.min(HandleWire.SLICE_BYTES, total - number * HandleWire.SLICE_BYTES)) {
            return dropped(MessagePacketCount.FRAGMENTS_LENGTH);
        }
        byte[] bytesOfPacket = new byte[length];
        MemorySegment.copy(packet, HandleWire.BYTE, offset, bytesOfPacket, 0, length);
        if (slices == 1) {
            counters.count(MessagePacketCount.FRAGMENTS_ACCEPTED);
            counters.count(MessagePacketCount.REASSEMBLIES_COMPLETE);
            return Optional.of(bytesOfPacket);
        }
        Key key = new Key(new Host(peerHigh, peerLow), peerPort, packet.get(HandleWire.INT, offset + HandleWire.REQUEST));
        return takePart(key, bytesOfPacket, number, slices, nowMillis);
    }

    private Optional<byte[]> takePart(Key key, byte[] packet, int number, int slices, long nowMillis) {
        byte[] envelope = Arrays.copyOf(packet, HandleWire.ENVELOPE_BYTES);
        MemorySegment.ofArray(envelope).set(HandleWire.INT, HandleWire.SEQUENCE, 0);
        byte[] part = Arrays.copyOfRange(packet, HandleWire.ENVELOPE_BYTES, packet.length);
        Unfinished message = unfinished.get(key);
        if (message != null) {
            if (!Arrays.equals(envelope, message.envelope)) {
                return dropped(MessagePacketCount.FRAGMENTS_MISMATCH);
            }
            byte[] there = message.part(number);
            if (there != null) {
                return dropped(
                        Arrays.equals(there, part) ? MessagePacketCount.FRAGMENTS_DUPLICATE : MessagePacketCount.FRAGMENTS_CONFLICT);
            }
        }
        if (bytes + part.length > BYTES_MAX) {
            return dropped(MessagePacketCount.FRAGMENTS_TABLE_MAX);
        }
        if (message == null) {
            if (unfinished.size() >= MESSAGES_MAX) {
                return dropped(MessagePacketCount.FRAGMENTS_TABLE_MAX);
            }
            if (perHost.getOrDefault(key.host, 0) >= MESSAGES_PER_HOST_MAX) {
                return dropped(MessagePacketCount.FRAGMENTS_HOST_MAX);
            }
            message = new Unfinished(envelope, slices, nowMillis);
            unfinished.put(key, message);
            perHost.merge(key.host, 1, Integer::sum);
        }
        message.put(number, part);
        bytes += part.length;
        counters.count(MessagePacketCount.FRAGMENTS_ACCEPTED);
        if (message.partsThere < slices) {
            return Optional.empty();
        }
        unfinished.remove(key);
        forget(key, message);
        counters.count(MessagePacketCount.REASSEMBLIES_COMPLETE);
        return Optional.of(message.joined());
    }

    /** Drops messages that have timed out; {@link #take} does so too. */
    public void sweep(long nowMillis) {
        Iterator<Map.Entry<Key, Unfinished>> oldest = unfinished.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<Key, Unfinished> each = oldest.next();
            if (nowMillis - each.getValue().startedMillis < WAIT_MILLIS) {
                return;
            }
            oldest.remove();
            forget(each.getKey(), each.getValue());
            counters.count(MessagePacketCount.REASSEMBLIES_TIMED_OUT);
        }
    }

    private void forget(Key key, Unfinished message) {
        bytes -= message.bytes;
        perHost.computeIfPresent(key.host, (_, count) -> count == 1 ? null : count - 1);
    }

    private Optional<byte[]> dropped(MessagePacketCount why) {
        counters.count(why);
        return Optional.empty();
    }
}
