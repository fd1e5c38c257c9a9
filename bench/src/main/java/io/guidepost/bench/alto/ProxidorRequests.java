package io.guidepost.bench.alto;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.alto.proxidor.ProxidorRequest;
import io.guidepost.base.Address;
import io.guidepost.bench.load.GnrsAnswerCheck;
import io.guidepost.bench.load.UdpRequests;
import io.guidepost.proximity.ranking.Ranking;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Requests with lists of random IPv4 addresses, and the expected responses. */
public final class ProxidorRequests implements UdpRequests {
    /** Bytes of a message up to its list; no response is shorter. */
    static final int HEADER_BYTES = 12;

    private static final int ID = 4;
    private static final int TTL = 8;
    private static final int LIST = 12;
    private static final int SEED = 2009;

    /** Version 0, service code 0, QR, no error. */
    private static final int RANKED = 0x8000;

    private final List<byte[]> messages = new ArrayList<>();
    private final List<MemorySegment> answers = new ArrayList<>();

    /**
     * Creates lists.
     *
     * @param count number of distinct lists
     * @param size addresses in each
     * @param network determines the expected order; without it only the response code is checked
     */
    public ProxidorRequests(int count, int size, @Nullable ProxidorTestNetwork network) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < count; i++) {
            List<Integer> list = new ArrayList<>(size);
            for (int k = 0; k < size; k++) {
                list.add(random.nextInt());
            }
            messages.add(message(list));
            if (network != null) {
                answers.add(MemorySegment.ofArray(message(sorted(list, network))));
            }
        }
    }

    private static List<Integer> sorted(List<Integer> list, ProxidorTestNetwork network) {
        List<Integer> sorted = new ArrayList<>(list);
        sorted.removeIf(each -> network.rank(each) == Ranking.UNRANKED);
        sorted.sort(Comparator.comparingInt(network::rank));
        return sorted;
    }

    private static byte[] message(List<Integer> list) {
        List<Candidate> candidates =
                list.stream().map(Address::ofIpv4).map(Candidate::of).toList();
        return new ProxidorRequest(candidates, Optional.empty()).write(0);
    }

    @Override
    public int count() {
        return messages.size();
    }

    @Override
    public byte[] message(int number) {
        return messages.get(number);
    }

    @Override
    public int idOffset() {
        return ID;
    }

    @Override
    public boolean isResponse(MemorySegment segment, long offset, int length) {
        return length >= HEADER_BYTES;
    }

    static void id(MemorySegment segment, long offset, int id) {
        segment.set(INT, offset + ID, id);
    }

    /** Returns the id of a datagram of at least {@link #HEADER_BYTES} bytes. */
    static int id(MemorySegment segment, long offset) {
        return segment.get(INT, offset + ID);
    }

    /** Returns whether a datagram of at least {@link #HEADER_BYTES} bytes is a response with a ranked list. */
    static boolean isRanked(MemorySegment segment, long offset) {
        return segment.get(INT, offset) == RANKED;
    }

    @Override
    public GnrsAnswerCheck.Verdict verdict(int number, MemorySegment segment, long offset, int length) {
        if (segment.get(INT, offset) != RANKED) {
            return GnrsAnswerCheck.Verdict.FAILED;
        }
        if (answers.isEmpty()) {
            return GnrsAnswerCheck.Verdict.RIGHT;
        }
        MemorySegment right = answers.get(number);
        // After the TTL, which only the response has, both differ only in the order.
        boolean same = length == right.byteSize()
                && MemorySegment.mismatch(segment, offset + LIST, offset + length, right, LIST, length) < 0
                && segment.get(INT, offset + TTL) != 0;
        return same ? GnrsAnswerCheck.Verdict.RIGHT : GnrsAnswerCheck.Verdict.WRONG;
    }
}
