package io.guidepost.scaffold.key;

import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * What two hosts have agreed on: a key for each direction. Each host has a key for good, whose hash is its GUID, and one for
 * an hour; the agreement takes three of their four products, so that only who has both keys of a side can have it, and that
 * it cannot be had later from the keys for good alone (as in the pattern XX of the Noise framework).
 *
 * <pre>
 *  A: the host with the lower GUID, s its key for good, e its key of the hour; B: the other
 *
 *  HKDF-SHA-256 (RFC 5869): input  DH(eA, eB) | DH(sA, eB) | DH(eA, sB)
 *                           salt   "guidepost scaffold 1"
 *                           info   GUID A | GUID B | eA | eB
 *                           output key from A to B, 32 bytes | key from B to A, 32 bytes
 * </pre>
 *
 * <p>Both have the same keys if either begins, and also if both begin at once. It counts what was sent and heard; any thread may
 * use it.
 */
public final class Association {
    /** What {@link #keep} writes: the peer's GUID, its key of the hour, a key for each direction, numbers of messages and packets. */
    public static final int KEPT_BYTES = Guid.BYTES + 3 * RawKeyPair.BYTES + 4 * Long.BYTES;

    /** Associations with one key of the hour have fewer messages. */
    private static final long SEQUENCE_MAX = 0xffff_ffffL;

    /** Packets after which another association is due: those of 128 keys. */
    private static final long DATA_MAX = 128L << DataSeal.KEY_SHIFT;

    private static final byte[] SALT = "guidepost scaffold 1".getBytes(StandardCharsets.US_ASCII);

    private final Guid peer;
    private final byte[] ownShare;
    private final byte[] peerShare;
    final byte[] sends;
    final byte[] hears;
    final AntiReplayWindow window = new AntiReplayWindow(2);
    private final AtomicLong sequence = new AtomicLong();

    /** Words of a window of packets: these overtake each other in a network of many queues by some hundreds at most. */
    private static final int DATA_WORDS = 32;

    /** Keys by which a sender may be ahead of what came last: some days of silence. */
    private static final int KEYS_AHEAD_MAX = 256;

    /** Packets of the newest key that was heard, and of the one before it, so that those that were overtaken by a new key are taken. */
    private AntiReplayWindow dataWindow = new AntiReplayWindow(DATA_WORDS);

    private AntiReplayWindow dataWindowBefore = dataWindow;
    private long dataKey;
    private long dataKeyBefore;

    final DataSeal.Keys dataSends;
    final DataSeal.Keys dataHears;
    private long dataNumber;

    /** Where the numbers are written that were sent and heard last; 0 for nowhere. */
    private volatile long countsAt;

    Association(Guid peer, byte[] ownShare, byte[] peerShare, byte[] sends, byte[] hears) {
        this.peer = peer;
        this.ownShare = ownShare;
        this.peerShare = peerShare;
        this.sends = sends;
        this.hears = hears;
        this.dataSends = new DataSeal.Keys(sends);
        this.dataHears = new DataSeal.Keys(hears);
    }

    /**
     * Agrees with another host. Takes three products, some half a millisecond.
     *
     * @param own this host's key for good
     * @param ownShare its key of the hour
     * @param peerKey the other's public key for good
     * @param peerShare the other's public key of the hour
     * @throws Malformed if one of the other's keys is none
     */
    public static Association agree(HostKey own, HostKey ownShare, byte[] peerKey, byte[] peerShare) throws Malformed {
        Guid peer = HostKey.guid(peerKey);
        boolean lower = own.guid().compareTo(peer) < 0;
        byte[] both = ownShare.agree(peerShare);
        byte[] ownForGood = own.agree(peerShare);
        byte[] peerForGood = ownShare.agree(peerKey);
        byte[] keys = derive(
                lower ? new byte[][] {both, ownForGood, peerForGood} : new byte[][] {both, peerForGood, ownForGood},
                lower ? info(own.guid(), peer, ownShare.open(), peerShare) : info(peer, own.guid(), peerShare, ownShare.open()));
        byte[] fromLower = Arrays.copyOf(keys, RawKeyPair.BYTES);
        byte[] fromHigher = Arrays.copyOfRange(keys, RawKeyPair.BYTES, 2 * RawKeyPair.BYTES);
        return new Association(
                peer, ownShare.open(), peerShare.clone(), lower ? fromLower : fromHigher, lower ? fromHigher : fromLower);
    }

    private static byte[] derive(byte[][] products, byte[] info) {
        try {
            HKDFParameterSpec.Builder input = HKDFParameterSpec.ofExtract().addSalt(SALT);
            for (byte[] each : products) {
                input.addIKM(each);
            }
            return KDF.getInstance("HKDF-SHA256").deriveData(input.thenExpand(info, 2 * RawKeyPair.BYTES));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("the JDK's own provider has HKDF", e);
        }
    }

    private static byte[] info(Guid lower, Guid higher, byte[] lowerShare, byte[] higherShare) {
        return ByteBuffer.allocate(2 * (Guid.BYTES + RawKeyPair.BYTES))
                .put(lower.toBytes())
                .put(higher.toBytes())
                .put(lowerShare)
                .put(higherShare)
                .array();
    }

    /** Returns the GUID of the other host. */
    public Guid peer() {
        return peer;
    }

    /** Returns the key of the hour of this host; of one that another process has agreed, nothing that stands for a key. */
    public byte[] ownShare() {
        return ownShare;
    }

    /** Returns whether this was agreed with a key of the hour of this host. */
    public boolean isBy(HostKey share) {
        return Arrays.equals(ownShare, share.open());
    }

    /** Returns whether this was agreed with a key of the hour of the other. */
    public boolean isOf(byte[] share) {
        return Arrays.equals(peerShare, share);
    }

    /** Returns whether another one is due before the hour is over, by the messages or packets that were sealed. */
    public boolean isWorn() {
        return sequence.get() > SEQUENCE_MAX / 2 || dataNumber > DATA_MAX;
    }

    /**
     * Returns the number of the next message.
     *
     * @throws IllegalStateException after four thousand million messages: another key of the hour is due long before
     */
    public int nextSequence() {
        long next = sequence.getAndIncrement();
        if (next > SEQUENCE_MAX) {
            throw new IllegalStateException("an association has 2^32 messages");
        }
        if (countsAt != 0) {
            Memory.put64(countsAt, next + 1);
        }
        return (int) next;
    }

    /** Takes the number of an authentic message; false if it was taken before, or is too old to tell. */
    boolean take(long number) {
        if (!window.take(number)) {
            return false;
        }
        if (countsAt != 0) {
            Memory.put64(countsAt + Long.BYTES, window.highest());
        }
        return true;
    }

    /**
     * Returns the number of the next packet; for one thread.
     *
     * @param nextKey whether it is to be the first one of the next key
     */
    long nextDataNumber(boolean nextKey) {
        long number = nextKey ? (dataNumber >>> DataSeal.KEY_SHIFT) + 1 << DataSeal.KEY_SHIFT : dataNumber;
        dataNumber = number + 1;
        if (countsAt != 0) {
            // Before the packet is encrypted: another process never takes a number once more.
            Memory.put64(countsAt + 2 * Long.BYTES, dataNumber);
        }
        return number;
    }

    /** Returns whether the number of a packet would be taken. */
    boolean isNewData(long number) {
        long key = number >> DataSeal.KEY_SHIFT;
        if (key == dataKey) {
            return dataWindow.isNew(number);
        }
        return key == dataKeyBefore ? dataWindowBefore.isNew(number) : key > dataKey && key - dataKey <= KEYS_AHEAD_MAX;
    }

    /** Takes the number of an authentic packet, which {@link #isNewData} would; for one thread. */
    void takeData(long number) {
        long key = number >> DataSeal.KEY_SHIFT;
        if (key > dataKey) {
            dataKeyBefore = dataKey;
            dataWindowBefore = dataWindow;
            dataKey = key;
            dataWindow = new AntiReplayWindow(DATA_WORDS);
        }
        (key == dataKey ? dataWindow : dataWindowBefore).take(number);
        if (countsAt != 0) {
            Memory.put64(countsAt + 3 * Long.BYTES, dataWindow.highest());
        }
    }

    /**
     * Writes all that another process needs to go on with it, keys included, and from now on what is sent and heard.
     *
     * @param at address of {@link #KEPT_BYTES}, which stay for as long as this is used
     */
    public void keep(long at) {
        peer.write(Memory.ALL, at);
        long keys = at + Guid.BYTES;
        for (byte[] each : List.of(peerShare, sends, hears)) {
            Memory.copy(each, 0, keys, each.length);
            keys += each.length;
        }
        Memory.put64(keys, sequence.get());
        Memory.put64(keys + Long.BYTES, window.highest());
        Memory.put64(keys + 2 * Long.BYTES, dataNumber);
        Memory.put64(keys + 3 * Long.BYTES, dataWindow.highest());
        countsAt = keys;
    }

    /** Writes no more what is sent and heard: another association is kept there. */
    void keepNoMore() {
        countsAt = 0;
    }

    /** Goes on with what another process has kept at an address, and keeps it there. */
    public static Association kept(long at) {
        long keys = at + Guid.BYTES;
        Association kept = new Association(
                Guid.read(Memory.ALL, at),
                new byte[RawKeyPair.BYTES],
                Memory.read(keys, RawKeyPair.BYTES),
                Memory.read(keys + RawKeyPair.BYTES, RawKeyPair.BYTES),
                Memory.read(keys + 2 * RawKeyPair.BYTES, RawKeyPair.BYTES));
        kept.countsAt = keys + 3 * RawKeyPair.BYTES;
        kept.sequence.set(Memory.i64(kept.countsAt));
        kept.window.begin(Memory.i64(kept.countsAt + Long.BYTES));
        kept.dataNumber = Memory.i64(kept.countsAt + 2 * Long.BYTES);
        long heard = Memory.i64(kept.countsAt + 3 * Long.BYTES);
        kept.dataWindow.begin(heard);
        kept.dataKey = Math.max(0, heard) >> DataSeal.KEY_SHIFT;
        kept.dataKeyBefore = kept.dataKey;
        return kept;
    }
}
