package io.guidepost.handle.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.value.HandleValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The two streams, as a server of version 9.2 sent them. */
class ReplicationStreamsTest {
    /** A prefix taken, a record changed and one deleted, a prefix given up. */
    static final String TRANSACTIONS = "0000000100000002" + "01000000000000000100000009302e4e412f3132333404"
            + "000001a200ae6e92" + "01000000000000000300000008313233342f4f4e4503000001a200b127da"
            + "000000020000002e000000016b0239a300000151800e0000000355524c00000011687474703a2f2f612e6578616d706c652f"
            + "0000000000000023000000036b0239a400000151800e00000005454d41494c0000000461324062" + "00000000"
            + "01000000000000000700000008313233342f74776f02000001a200b12ad9"
            + "01000000000000000b00000009302e4e412f3536373805000001a200b12e45" + "00000001a200b25a6b";

    static final String NEEDS_DUMP = "0000000100000001" + "000000000000000000";

    static final String DUMP = "00000002" + "00" + "000001a200b67d1b" + "000000000000000b"
            + "0100000006353637382f41000000010000002e000000016b0239a500000151800e0000000355524c00000011"
            + "687474703a2f2f632e6578616d706c652f00000000" + "0200000009302e4e412f31323334" + "ff";

    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static ByteArrayInputStream in(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    @Test
    void transactionsAreReadAndWritten() throws Exception {
        WireWriter out = new WireWriter();
        TransactionStream.begin(out);
        List<Transaction> read = new ArrayList<>();
        TransactionStream.End end = TransactionStream.read(in(bytes(TRANSACTIONS)), (transaction, values) -> {
            read.add(transaction);
            assertThat(values).hasSize(transaction.action().hasValues() ? 2 : 0);
            TransactionStream.transaction(transaction, values, out);
        });
        assertThat(end).isEqualTo(new TransactionStream.End.Complete(0x1a200b25a6bL));
        TransactionStream.end(0x1a200b25a6bL, out);
        assertThat(HexFormat.of().formatHex(out.toBytes())).isEqualTo(TRANSACTIONS);
        assertThat(read)
                .containsExactly(
                        new Transaction(1, Handle.of("0.NA/1234"), Transaction.Action.HOME, 0x1a200ae6e92L),
                        new Transaction(3, Handle.of("1234/ONE"), Transaction.Action.UPDATE, 0x1a200b127daL),
                        new Transaction(7, Handle.of("1234/two"), Transaction.Action.DELETE, 0x1a200b12ad9L),
                        new Transaction(11, Handle.of("0.NA/5678"), Transaction.Action.UNHOME, 0x1a200b12e45L));
    }

    @Test
    void aHistoryThatIsGoneIsSaid() throws Exception {
        WireWriter out = new WireWriter();
        TransactionStream.needsDump(out);
        assertThat(HexFormat.of().formatHex(out.toBytes())).isEqualTo(NEEDS_DUMP);
        assertThat(TransactionStream.read(in(out.toBytes()), (_, _) -> {}))
                .isEqualTo(new TransactionStream.End.NeedsDump());
    }

    @Test
    void aDumpIsReadAndWritten() throws Exception {
        WireWriter out = new WireWriter();
        DumpStream.begin(out);
        DumpStream.read(in(bytes(DUMP)), copying(out));
        DumpStream.end(out);
        assertThat(HexFormat.of().formatHex(out.toBytes())).isEqualTo(DUMP);

        String rest = "00000002" + DUMP.substring(42);
        WireWriter again = new WireWriter();
        DumpStream.begin(again);
        DumpStream.read(in(bytes(rest)), copying(again));
        DumpStream.end(again);
        assertThat(HexFormat.of().formatHex(again.toBytes())).isEqualTo(rest);
    }

    private static DumpStream.Visitor copying(WireWriter out) {
        return new DumpStream.Visitor() {
            @Override
            public void position(TransactionPosition position) {
                DumpStream.position(position, out);
            }

            @Override
            public void record(Handle handle, List<HandleValue> values) {
                DumpStream.record(handle, values, out);
            }

            @Override
            public void prefix(Handle prefixHandle) {
                DumpStream.prefix(prefixHandle, out);
            }

            @Override
            public void skipped(Handle handle, String why) {}
        };
    }

    @Test
    void whatIsCutOffOrFalseIsRefused() {
        for (int length = 0; length < TRANSACTIONS.length() / 2; length++) {
            byte[] cut = Arrays.copyOf(bytes(TRANSACTIONS), length);
            assertThatThrownBy(() -> TransactionStream.read(in(cut), (_, _) -> {})).isInstanceOf(IOException.class);
        }
        for (int length = 0; length < DUMP.length() / 2; length++) {
            byte[] cut = Arrays.copyOf(bytes(DUMP), length);
            assertThatThrownBy(() -> DumpStream.read(in(cut), copying(new WireWriter())))
                    .isInstanceOf(IOException.class);
        }
        for (String false_ : List.of("0000000200000002", "0000000100000003", "000000010000000207")) {
            assertThatThrownBy(() -> TransactionStream.read(in(bytes(false_)), (_, _) -> {}))
                    .isInstanceOf(Malformed.class);
        }
        assertThatThrownBy(() -> DumpStream.read(
                        in(bytes("00000002" + "00".repeat(17) + "01" + "7fffffff")), copying(new WireWriter())))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("at most");
    }

    @Test
    void noBytesDoMoreThanBeRefused() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = bytes(random.nextBoolean() ? TRANSACTIONS : DUMP);
            for (int change = random.nextInt(1, 4); change > 0; change--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            }
            try {
                TransactionStream.read(in(changed), (_, _) -> {});
            } catch (IOException | Malformed e) {
                assertThat(e).hasMessageNotContaining("null");
            }
            try {
                DumpStream.read(in(changed), copying(new WireWriter()));
            } catch (IOException | Malformed e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
    }
}
