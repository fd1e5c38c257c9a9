package io.guidepost.gnrs.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.GnrsVectors;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is read of a datagram before it is parsed: nothing beyond its end, and nothing that is not there. */
class GnrsWireTest {
    private static final Guid NAME = Guid.ofAscii("a name");

    private static byte[] lookup(boolean withOrigin) {
        return withOrigin
                ? GnrsVectors.bytes(GnrsVectors.V1)
                : new GnrsMessage.Lookup(1, GnrsMessage.noOrigin(), NAME, List.of()).write();
    }

    @Test
    void theGuidOfAWholeLookupIsFoundAndOfACutOneIsNot() {
        for (boolean withOrigin : new boolean[] {true, false}) {
            byte[] whole = lookup(withOrigin);
            int guid = withOrigin ? 22 : 16;
            assertThat(whole).hasSize(guid + Guid.BYTES);
            assertThat(GnrsWire.lookedUp(MemorySegment.ofArray(whole), 0, whole.length)).isEqualTo(guid);
            for (int length = 0; length < whole.length; length++) {
                MemorySegment cut = MemorySegment.ofArray(Arrays.copyOf(whole, length));
                assertThat(GnrsWire.lookedUp(cut, 0, length)).as("%d of %d bytes", length, whole.length).isZero();
            }
        }
        byte[] behind = new byte[3 + 42];
        System.arraycopy(lookup(true), 0, behind, 3, 42);
        assertThat(GnrsWire.lookedUp(MemorySegment.ofArray(behind), 3, 42)).isEqualTo(22);
    }

    @Test
    void whatIsNoLookupLooksUpNothing() {
        byte[] insert = GnrsVectors.bytes(GnrsVectors.V3);
        assertThat(GnrsWire.lookedUp(MemorySegment.ofArray(insert), 0, insert.length)).isZero();
        byte[] another = lookup(true);
        another[0] = 1;
        assertThat(GnrsWire.lookedUp(MemorySegment.ofArray(another), 0, another.length)).as("of another version").isZero();
    }

    @Test
    void eachBitOfAGuidCountsInItsNumber() {
        byte[] bytes = lookup(true);
        MemorySegment segment = MemorySegment.ofArray(bytes);
        int guid = bytes.length - Guid.BYTES;
        long number = GnrsWire.nameKey(segment, guid);
        for (int bit = 0; bit < Guid.BYTES * Byte.SIZE; bit++) {
            bytes[guid + bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertThat(GnrsWire.nameKey(segment, guid)).as("bit %d", bit).isNotEqualTo(number);
            bytes[guid + bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        }
        assertThat(GnrsWire.nameKey(segment, guid)).isEqualTo(number);
    }

    @Test
    void serversTalkInResponsesAndInTheirOwnTypes() {
        for (int type = 0; type <= 0xff; type++) {
            byte[] bytes = {9, 9, 0, (byte) type};
            Exchange exchange = new Exchange();
            exchange.request(MemorySegment.ofArray(bytes), 2, 2, 0);
            assertThat(GnrsWire.amongServers(exchange)).as("type %x", type).isEqualTo(type >= 0x80 || type >= 0x60 && type <= 0x6f);
        }
    }
}
