package io.guidepost.gnrs.antientropy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.peer.ChangedSettings;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.relay.WriteStand;
import io.guidepost.gnrs.replica.DigestRanges;
import io.guidepost.gnrs.replica.SyncLimits;
import io.guidepost.gnrs.replica.Syndromes;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Few records that differ are found by syndromes, without a scan; what these do not name is found by a scan as ever. */
class DifferenceLocatorTest {
    private static final int RECORDS = 3000;
    private static final int LATER = 4000;
    private static final ReplicationSettings SETTINGS =
            ChangedSettings.of("pingMillis", 500, "compareMillis", 1000, "timeoutMillis", 100);
    private static final InetSocketAddress ASKER =
            new InetSocketAddress(java.net.InetAddress.ofLiteral("127.0.0.2"), 6001);

    private final AntiEntropyStand stand = new AntiEntropyStand(2, SETTINGS);

    /** How one record differs from the other server's. */
    enum Difference {
        CHANGED,
        MISSING_HERE,
        MISSING_THERE
    }

    private static Guid guid(int number) {
        return new Guid(number * 0x9e3779b97f4a7c15L, number, number);
    }

    private static int group(int number) {
        return Syndromes.group(range(number));
    }

    private static int range(int number) {
        return DigestRanges.of(MemorySegment.ofArray(guid(number).toBytes()), 0);
    }

    /** Two servers that share some thousands of records, and have agreed on them. */
    private void agree() {
        for (int i = 0; i < RECORDS; i++) {
            byte[] change = stand.change(guid(i), stand.millis(), false, WriteStand.to(i & 127));
            stand.nodes.forEach(each -> each.write(change));
        }
        stand.until(20_000, () -> stand.nodes.stream().noneMatch(each -> each.deployment().catchingUp()));
        stand.sent.clear();
    }

    private void write(int node, int number) {
        stand.nodes.get(node).write(stand.change(guid(number), stand.millis(), false, WriteStand.to(99)));
    }

    private long count(PeerCount count) {
        return stand.nodes.stream().mapToLong(each -> each.catchUp().counts().get(count)).sum();
    }

    private List<AntiEntropyStand.Datagram> sent(int type) {
        return stand.sent.stream().filter(each -> each.type() == type).toList();
    }

    /** Returns the records of all COMPARE requests. */
    private List<Integer> compared() {
        return sent(PeerWire.COMPARE).stream()
                .map(each -> (int) MemorySegment.ofArray(each.bytes()).get(PeerWire.SHORT, PeerWire.HEADER_BYTES))
                .toList();
    }

    private void untilAgreed() {
        stand.untilAlike(20_000);
        stand.until(5_000, () -> stand.nodes.stream().allMatch(each -> each.catchUp().progress().servers().stream()
                .allMatch(server -> server.rangesDiffering() == 0)));
    }

    private static int later(IntPredicate wanted) {
        return IntStream.range(LATER, 3 * LATER).filter(wanted).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void oneRecordOfThousandsIsMendedWithoutLookingAtTheOthers(Difference difference) {
        agree();
        write(difference == Difference.MISSING_HERE ? 1 : 0, difference == Difference.CHANGED ? 7 : LATER);
        untilAgreed();
        assertThat(sent(PeerWire.SYNDROMES)).isNotEmpty();
        assertThat(compared()).as("each server looks for itself").isNotEmpty().hasSizeLessThanOrEqualTo(2).containsOnly(1);
        assertThat(count(PeerCount.DIFFERENCES_LOCATED)).isBetween(1L, 2L);
        assertThat(count(PeerCount.DIFFERENCES_SCANNED)).isZero();
    }

    @Test
    void recordsOfSeveralGroupsAreLocatedAtOnce() {
        agree();
        List<Integer> groups = new ArrayList<>();
        for (int i = LATER; groups.size() < 6; i++) {
            if (!groups.contains(group(i))) {
                groups.add(group(i));
                write(i % 2, i);
            }
        }
        untilAgreed();
        assertThat(compared()).isNotEmpty().allMatch(each -> each <= groups.size());
        assertThat(count(PeerCount.DIFFERENCES_LOCATED)).isBetween(6L, 12L);
        assertThat(count(PeerCount.DIFFERENCES_SCANNED)).isZero();
    }

    @Test
    void twoOfOneRangeAreLeftToAScan() {
        agree();
        int other = later(i -> i > LATER && range(i) == range(LATER));
        write(0, LATER);
        write(1, other);
        untilAgreed();
        assertThat(sent(PeerWire.SYNDROMES)).isNotEmpty().hasSizeLessThanOrEqualTo(2);
        assertThat(count(PeerCount.DIFFERENCES_LOCATED)).isZero();
        assertThat(count(PeerCount.DIFFERENCES_SCANNED)).isPositive();
    }

    @Test
    void twoRangesOfOneGroupAreScannedAtOnce() {
        agree();
        int other = later(i -> group(i) == group(LATER) && range(i) != range(LATER));
        write(0, LATER);
        write(1, other);
        untilAgreed();
        assertThat(sent(PeerWire.SYNDROMES)).isEmpty();
        assertThat(count(PeerCount.DIFFERENCES_SCANNED)).isPositive();
    }

    /** The version before knows no SYNDROMES, and its pings do not say that it does. */
    @Test
    void aServerOfTheVersionBeforeIsNotAskedForSyndromes() {
        stand.lost = each -> {
            if (each.type() == (PeerWire.PING | PeerWire.RESPONSE_BIT)) {
                each.bytes()[PeerWire.HEADER_BYTES + PeerWire.PING_RESPONSE_BYTES - 1] &= ~PeerWire.HAS_SYNDROMES;
            }
            return each.type() == PeerWire.SYNDROMES;
        };
        agree();
        write(0, LATER);
        untilAgreed();
        assertThat(sent(PeerWire.SYNDROMES)).isEmpty();
        assertThat(count(PeerCount.DIFFERENCES_SCANNED)).isPositive();
    }

    @Test
    void whereSyndromesAreLostTheRecordsAreScanned() {
        stand.lost = each -> each.type() == PeerWire.SYNDROMES;
        agree();
        write(0, LATER);
        untilAgreed();
        assertThat(sent(PeerWire.SYNDROMES)).isNotEmpty().hasSizeLessThanOrEqualTo(2);
        assertThat(count(PeerCount.DIFFERENCES_SCANNED)).isPositive();
    }

    @Test
    void aRecordThatWasLocatedAndStillDiffersIsNotLocatedAgain() {
        agree();
        // Nothing reaches the other server, or is fetched from here.
        stand.lost = each -> each.type() == PeerWire.MERGE || each.type() == PeerWire.FETCH;
        write(0, LATER);
        stand.run(8_000);
        assertThat(sent(PeerWire.SYNDROMES)).isNotEmpty().hasSizeLessThanOrEqualTo(2);
        assertThat(count(PeerCount.DIFFERENCES_SCANNED)).isGreaterThan(1);
        stand.lost = each -> false;
        untilAgreed();
        stand.sent.clear();
        write(1, LATER + 1);
        untilAgreed();
        assertThat(sent(PeerWire.SYNDROMES)).as("the range has agreed meanwhile").isNotEmpty();
    }

    @Test
    void theRequestIsAsItIsDrawn() {
        byte[] room = new byte[200];
        Arrays.fill(room, (byte) 0xaa);
        SyndromesRequest request = request(0x8000_0001, new ArrayList<>());
        int length = request.write(MemorySegment.ofArray(room), 3, 150, 0x01020304);
        assertThat(length).isEqualTo(request.bytes());
        assertThat(HexFormat.of().formatHex(room, 3, 3 + length)).isEqualTo(
                "0066006e" + "01020304" + "0000001000000000"
                        + "1112131415161718" + "80000001" + "00000000000000000000ffff7f000002" + "1389" + "00".repeat(64));
        assertThat(request.write(MemorySegment.ofArray(room), 3, length - 1, 1)).isZero();
    }

    private SyndromesRequest request(int groups, List<long[]> told) {
        AntiEntropyStand.Node node = stand.nodes.get(1);
        return new SyndromesRequest(
                node.deployment().peers().of(stand.servers.get(0)),
                node.deployment().peers().of(stand.servers.get(1)),
                0x1112131415161718L,
                groups) {
            @Override
            void notReady() {
                told.add(new long[0]);
            }

            @Override
            void summed(long[] theirs) {
                told.add(theirs);
            }

            @Override
            public void silent() {
                throw new AssertionError("no time passes");
            }
        };
    }

    @Test
    void theResponseIsReadAsItIsDrawn() {
        List<long[]> told = new ArrayList<>();
        SyndromesRequest request = request(0x8000_0001, told);
        String head = "00e6005c" + "01020304" + "0000001000000000" + "1112131415161718" + "80000001";
        String sums = "0000000000000001" + "0000000000000002" + "0000000000000003" + "1ffffffffffffffe"
                + "0000000000000005" + "0000000000000006" + "0000000000000007" + "0000000000000008";
        assertThat(answered(request, head + sums)).isTrue();
        long[] expected = new long[Syndromes.GROUPS * Syndromes.SUMS];
        System.arraycopy(new long[] {1, 2, 3, 0x1ffffffffffffffeL}, 0, expected, 0, 4);
        System.arraycopy(new long[] {5, 6, 7, 8}, 0, expected, 31 * Syndromes.SUMS, 4);
        assertThat(told).hasSize(1);
        assertThat(told.getFirst()).isEqualTo(expected);
        assertThat(answered(request, head + sums.replace("1ffffffffffffffe", "1fffffffffffffff"))).as("p is no sum").isFalse();
        assertThat(answered(request, head + sums.replace("1ffffffffffffffe", "fffffffffffffffe"))).isFalse();
        assertThat(answered(request, head.replace("80000001", "80000002") + sums)).as("other groups").isFalse();
        assertThat(answered(request, head + sums + "00")).isFalse();
        assertThat(answered(request, head)).isFalse();
        assertThat(answered(request, head.replace("00e6", "00e2") + sums)).isFalse();
        assertThat(told).hasSize(1);
        assertThat(answered(request, head.replace("80000001", "00000000"))).as("not counted yet").isTrue();
        assertThat(answered(request, head.replace("11121314", "21121314") + sums)).as("other tables").isTrue();
        assertThat(told).hasSize(3).last().isEqualTo(new long[0]);
    }

    private static boolean answered(SyndromesRequest request, String hex) {
        byte[] bytes = HexFormat.of().parseHex("ffff" + hex);
        return request.answered(MemorySegment.ofArray(bytes), 2, bytes.length - 2, 1);
    }

    /** Of one record, so that its sums are those of the formula. */
    @Test
    void theResponseIsWrittenAsItIsDrawn() {
        write(0, 7);
        write(1, 7);
        stand.run(3000);
        String sums = "";
        BigInteger prime = BigInteger.TWO.pow(61).subtract(BigInteger.ONE);
        BigInteger digest = new BigInteger(Long.toUnsignedString(requireNonNull(stand.nodes.getFirst().digests().get(guid(7)))))
                .mod(prime.subtract(BigInteger.ONE))
                .add(BigInteger.ONE);
        byte[] guid = guid(7).toBytes();
        for (BigInteger factor : List.of(
                BigInteger.ONE, new BigInteger(1, guid, 0, 7), new BigInteger(1, guid, 7, 7), new BigInteger(1, guid, 14, 6))) {
            sums += HexFormat.of().toHexDigits(factor.multiply(digest).mod(prime).longValue());
        }
        long fingerprint = stand.nodes.getFirst().placement().get().fingerprint();
        String tables = HexFormat.of().toHexDigits(fingerprint);
        int groups = 1 << group(7);
        String asked = HexFormat.of().toHexDigits(groups);
        String asker = "00000000000000000000ffff7f0000021389";
        assertThat(response("0066004e" + "0a0b0c0d" + "0000001000000000" + tables + asked + asker + "00".repeat(32)))
                .isEqualTo("00e6003c" + "0a0b0c0d" + "0000001000000000" + tables + asked + sums);
        assertThat(response("0066004e" + "0a0b0c0d" + "0000001000000000" + "00".repeat(8) + asked + asker + "00".repeat(32)))
                .as("other tables")
                .isEqualTo("00e6001c" + "0a0b0c0d" + "0000001000000000" + tables + "00000000");
        String all = "00660" + Integer.toHexString(16 + 30 + 32 * 32) + "0a0b0c0d" + "0000001000000000" + tables + "ffffffff";
        String response = response(all + asker + "00".repeat(32 * 32));
        assertThat(response.length() / 2).isEqualTo(16 + 12 + 32 * 32).isLessThan(16 + 30 + 32 * 32);
        assertThat(response).contains(sums);
        assertThat(response(all + asker + "00".repeat(32 * 32 - 1))).as("shorter than its response").isEmpty();
        assertThat(response(all.replace("ffffffff", "00000000") + asker)).as("no group").isEmpty();
        assertThat(response(all + asker.replace("7f000002", "7f000009") + "00".repeat(32 * 32))).as("no server").isEmpty();
        assertThat(16 + 30 + 32 * 32 + PeerWire.SEAL_BYTES).isLessThanOrEqualTo(SyncLimits.DIGESTS_MAX * 8 + 100);
    }

    private String response(String request) {
        byte[] bytes = HexFormat.of().parseHex(request);
        bytes[PeerWire.LENGTH] = (byte) (bytes.length >> 8);
        bytes[PeerWire.LENGTH + 1] = (byte) bytes.length;
        stand.sent.clear();
        stand.deliver(new AntiEntropyStand.Datagram(ASKER, stand.servers.getFirst(), bytes));
        stand.run(3);
        List<AntiEntropyStand.Datagram> responses = sent(PeerWire.SYNDROMES | PeerWire.RESPONSE_BIT);
        return responses.isEmpty() ? "" : HexFormat.of().formatHex(responses.getFirst().bytes());
    }
}
