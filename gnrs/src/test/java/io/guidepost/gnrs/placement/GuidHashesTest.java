package io.guidepost.gnrs.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The slices of GUIDs: vectors of the Java server of 2014, and the definition spelt out. */
class GuidHashesTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final Guid COUNTING = Guid.of(HEX.parseHex("000102030405060708090a0b0c0d0e0f10111213"));

    private static List<String> slices(PlacementHash hash, int replicas, Guid guid) {
        GuidHashes hashes = new GuidHashes(hash, replicas);
        hashes.start(MemorySegment.ofArray(guid.toBytes()), 0);
        return IntStream.range(0, replicas).mapToObj(k -> HEX.formatHex(hashes.slice(k))).toList();
    }

    @Test
    void slicesOfTheVectors() {
        assertThat(slices(PlacementHash.SHA_1, 5, COUNTING))
                .containsExactly("ea94aded01d8", "e458c077f6c7", "b483457c62cc", "5a4dc7b6ce27", "5f4fc8f3fc17");
        assertThat(slices(PlacementHash.SHA_1, 5, Guid.ofAscii("1")))
                .containsExactly("32f6e4dbbe4d", "525e9ad4dafd", "5e50ccc39ce1", "89706e520076", "2cb456e3c802");
        assertThat(slices(PlacementHash.SHA_1, 5, Guid.of(new byte[20])))
                .containsExactly("b80de5d13875", "8541c5f05265", "ad144ab9fa86", "d1db37c42bd6", "cc033b330862");
        assertThat(slices(PlacementHash.MD5, 3, COUNTING))
                .containsExactly("71be2203e522", "916bdf05f624", "734f8188cfb0");
    }

    @ParameterizedTest
    @EnumSource(PlacementHash.class)
    void everyDigestFollowsTheDefinition(PlacementHash hash) throws Exception {
        MessageDigest digest = MessageDigest.getInstance(hash.title());
        byte[] chain = {};
        byte[] last = new byte[digest.getDigestLength()];
        while (chain.length < 6 * PlacementLimits.REPLICAS_MAX) {
            digest.update(COUNTING.toBytes());
            last = digest.digest(last);
            chain = Arrays.copyOf(chain, chain.length + last.length);
            System.arraycopy(last, 0, chain, chain.length - last.length, last.length);
        }
        byte[] expected = chain;
        assertThat(slices(hash, PlacementLimits.REPLICAS_MAX, COUNTING))
                .isEqualTo(IntStream.range(0, PlacementLimits.REPLICAS_MAX)
                        .mapToObj(k -> HEX.formatHex(expected, 6 * k, 6 * k + 6))
                        .toList());
        GuidHashes hashes = new GuidHashes(hash, 1);
        byte[] again = digest.digest(HEX.parseHex("ea94aded"));
        assertThat(hashes.again(0xea94aded)).isEqualTo(HexFormat.fromHexDigits(HEX.formatHex(again, 0, 4)));
    }
}
