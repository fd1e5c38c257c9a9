package io.guidepost.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.bench.scene.RunningServerCommand;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.names.Locator;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The generator's shortcuts say what the codec says. */
class GnrsWireFormatTest {
    private static final long RECORD = 123_456;

    private static byte[] written(GnrsRequestTemplates.Kind kind, InetSocketAddress origin) {
        byte[] room = new byte[GnrsRequestTemplates.BYTES_MAX];
        GnrsRequestTemplates questions = new GnrsRequestTemplates(origin);
        int length = kind == GnrsRequestTemplates.Kind.LOOKUP
                ? questions.lookup(MemorySegment.ofArray(room), 0, 0xdeadbeef, RECORD)
                : questions.change(kind, MemorySegment.ofArray(room), 0, 0xdeadbeef, RECORD, 4711);
        return Arrays.copyOf(room, length);
    }

    @Test
    void questionsAreWhatTheCodecReads() throws Malformed {
        for (String origin : new String[] {"127.0.0.1:4001", "[2001:db8::1]:4001"}) {
            Locator locator = Locator.parse(origin);
            InetSocketAddress address = RunningServerCommand.address(origin);
            assertThat(GnrsMessage.read(written(GnrsRequestTemplates.Kind.LOOKUP, address)))
                    .isEqualTo(new GnrsMessage.Lookup(0xdeadbeef, locator, SyntheticRecords.guid(RECORD), List.of()));
            List<Locator> places = List.of(Locator.parse("10.1.226.64:4711"));
            assertThat(GnrsMessage.read(written(GnrsRequestTemplates.Kind.INSERT, address)))
                    .isEqualTo(new GnrsMessage.Insert(
                            0xdeadbeef, locator, SyntheticRecords.guid(RECORD), places, List.of()));
            assertThat(GnrsMessage.read(written(GnrsRequestTemplates.Kind.UPDATE, address)))
                    .isEqualTo(new GnrsMessage.Update(
                            0xdeadbeef, locator, SyntheticRecords.guid(RECORD), places, List.of()));
        }
    }

    private static GnrsAnswerCheck.Verdict ofLookup(GnrsMessage message) {
        byte[] bytes = message.write();
        return GnrsAnswerCheck.ofLookup(MemorySegment.ofArray(bytes), 0, bytes.length, RECORD);
    }

    private static GnrsMessage lookupResponse(GnrsMessage.Code code, String... places) throws Malformed {
        Locator[] locators = new Locator[places.length];
        for (int i = 0; i < places.length; i++) {
            locators[i] = Locator.parse(places[i]);
        }
        return new GnrsMessage.LookupResponse(
                1,
                Locator.parse("[::1]:5001"),
                code,
                List.of(locators),
                List.of(GnrsOption.ttls(new long[places.length]), GnrsOption.expiries(new long[places.length])));
    }

    @Test
    void answersAreJudgedByTheirContent() throws Malformed {
        assertThat(ofLookup(lookupResponse(GnrsMessage.Code.SUCCESS, "10.1.226.64:1")))
                .isEqualTo(GnrsAnswerCheck.Verdict.RIGHT);
        assertThat(ofLookup(lookupResponse(GnrsMessage.Code.SUCCESS, "10.1.226.65:1")))
                .isEqualTo(GnrsAnswerCheck.Verdict.WRONG);
        assertThat(ofLookup(lookupResponse(GnrsMessage.Code.SUCCESS, "10.1.226.64:1", "10.1.226.64:2")))
                .isEqualTo(GnrsAnswerCheck.Verdict.RIGHT);
        assertThat(ofLookup(lookupResponse(
                        GnrsMessage.Code.SUCCESS, "10.1.226.64:1", "10.1.226.64:2", "10.1.226.64:3")))
                .isEqualTo(GnrsAnswerCheck.Verdict.WRONG);
        assertThat(ofLookup(lookupResponse(GnrsMessage.Code.SUCCESS))).isEqualTo(GnrsAnswerCheck.Verdict.MISSING);
        assertThat(ofLookup(lookupResponse(GnrsMessage.Code.FAILED))).isEqualTo(GnrsAnswerCheck.Verdict.FAILED);
        assertThat(ofLookup(new GnrsMessage.InsertResponse(
                        1, GnrsMessage.noOrigin(), GnrsMessage.Code.SUCCESS, List.of())))
                .isEqualTo(GnrsAnswerCheck.Verdict.WRONG);
    }

    @Test
    void answersToChangesAreJudgedByTheirCode() {
        byte[] done = new GnrsMessage.UpdateResponse(1, GnrsMessage.noOrigin(), GnrsMessage.Code.SUCCESS, List.of()).write();
        byte[] failed = new GnrsMessage.InsertResponse(1, GnrsMessage.noOrigin(), GnrsMessage.Code.FAILED, List.of()).write();
        assertThat(GnrsAnswerCheck.ofChange(MemorySegment.ofArray(done), 0, done.length)).isEqualTo(GnrsAnswerCheck.Verdict.RIGHT);
        assertThat(GnrsAnswerCheck.ofChange(MemorySegment.ofArray(failed), 0, failed.length))
                .isEqualTo(GnrsAnswerCheck.Verdict.FAILED);
    }

    @Test
    void cutAnswersAreWrongAndNeverReadBeyondTheirEnd() throws Malformed {
        byte[] whole = lookupResponse(GnrsMessage.Code.SUCCESS, "10.1.226.64:1").write();
        for (int length = 16; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThat(GnrsAnswerCheck.ofLookup(MemorySegment.ofArray(cut), 0, length, RECORD))
                    .isEqualTo(GnrsAnswerCheck.Verdict.WRONG);
        }
        byte[] head = {0, (byte) 0x80, 0, 16, 0, 0, 0, 1, 0, 0, 0, 16, 0, 0, (byte) 0xff, (byte) 0xff};
        assertThat(GnrsAnswerCheck.ofChange(MemorySegment.ofArray(head), 0, head.length)).isEqualTo(GnrsAnswerCheck.Verdict.WRONG);
    }
}
