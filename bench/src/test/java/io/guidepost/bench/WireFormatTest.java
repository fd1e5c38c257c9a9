package io.guidepost.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.Message;
import io.guidepost.gnrs.Option;
import io.guidepost.names.Locator;
import io.guidepost.names.Malformed;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The generator's shortcuts say what the codec says. */
class WireFormatTest {
    private static final long RECORD = 123_456;

    private static byte[] written(Questions.Kind kind, InetSocketAddress origin) {
        byte[] room = new byte[Questions.BYTES_MAX];
        Questions questions = new Questions(origin);
        int length = kind == Questions.Kind.LOOKUP
                ? questions.lookup(MemorySegment.ofArray(room), 0, 0xdeadbeef, RECORD)
                : questions.change(kind, MemorySegment.ofArray(room), 0, 0xdeadbeef, RECORD, 4711);
        return Arrays.copyOf(room, length);
    }

    @Test
    void questionsAreWhatTheCodecReads() throws Malformed {
        for (String origin : new String[] {"127.0.0.1:4001", "[2001:db8::1]:4001"}) {
            Locator locator = Locator.parse(origin);
            InetSocketAddress address = GnrsCommand.address(origin);
            assertThat(Message.read(written(Questions.Kind.LOOKUP, address)))
                    .isEqualTo(new Message.Lookup(0xdeadbeef, locator, SyntheticRecords.guid(RECORD), List.of()));
            List<Locator> places = List.of(Locator.parse("10.1.226.64:4711"));
            assertThat(Message.read(written(Questions.Kind.INSERT, address)))
                    .isEqualTo(new Message.Insert(
                            0xdeadbeef, locator, SyntheticRecords.guid(RECORD), places, List.of()));
            assertThat(Message.read(written(Questions.Kind.UPDATE, address)))
                    .isEqualTo(new Message.Update(
                            0xdeadbeef, locator, SyntheticRecords.guid(RECORD), places, List.of()));
        }
    }

    private static Answers.Verdict ofLookup(Message message) {
        byte[] bytes = message.write();
        return Answers.ofLookup(MemorySegment.ofArray(bytes), 0, bytes.length, RECORD);
    }

    private static Message lookupResponse(Message.Code code, String... places) throws Malformed {
        Locator[] locators = new Locator[places.length];
        for (int i = 0; i < places.length; i++) {
            locators[i] = Locator.parse(places[i]);
        }
        return new Message.LookupResponse(
                1,
                Locator.parse("[::1]:5001"),
                code,
                List.of(locators),
                List.of(Option.ttls(new long[places.length]), Option.expiries(new long[places.length])));
    }

    @Test
    void answersAreJudgedByTheirContent() throws Malformed {
        assertThat(ofLookup(lookupResponse(Message.Code.SUCCESS, "10.1.226.64:1")))
                .isEqualTo(Answers.Verdict.RIGHT);
        assertThat(ofLookup(lookupResponse(Message.Code.SUCCESS, "10.1.226.65:1")))
                .isEqualTo(Answers.Verdict.WRONG);
        assertThat(ofLookup(lookupResponse(Message.Code.SUCCESS, "10.1.226.64:1", "10.1.226.64:2")))
                .isEqualTo(Answers.Verdict.RIGHT);
        assertThat(ofLookup(lookupResponse(
                        Message.Code.SUCCESS, "10.1.226.64:1", "10.1.226.64:2", "10.1.226.64:3")))
                .isEqualTo(Answers.Verdict.WRONG);
        assertThat(ofLookup(lookupResponse(Message.Code.SUCCESS))).isEqualTo(Answers.Verdict.MISSING);
        assertThat(ofLookup(lookupResponse(Message.Code.FAILED))).isEqualTo(Answers.Verdict.FAILED);
        assertThat(ofLookup(new Message.InsertResponse(
                        1, Message.noOrigin(), Message.Code.SUCCESS, List.of())))
                .isEqualTo(Answers.Verdict.WRONG);
    }

    @Test
    void answersToChangesAreJudgedByTheirCode() {
        byte[] done = new Message.UpdateResponse(1, Message.noOrigin(), Message.Code.SUCCESS, List.of()).write();
        byte[] failed = new Message.InsertResponse(1, Message.noOrigin(), Message.Code.FAILED, List.of()).write();
        assertThat(Answers.ofChange(MemorySegment.ofArray(done), 0, done.length)).isEqualTo(Answers.Verdict.RIGHT);
        assertThat(Answers.ofChange(MemorySegment.ofArray(failed), 0, failed.length))
                .isEqualTo(Answers.Verdict.FAILED);
    }

    @Test
    void cutAnswersAreWrongAndNeverReadBeyondTheirEnd() throws Malformed {
        byte[] whole = lookupResponse(Message.Code.SUCCESS, "10.1.226.64:1").write();
        for (int length = 16; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThat(Answers.ofLookup(MemorySegment.ofArray(cut), 0, length, RECORD))
                    .isEqualTo(Answers.Verdict.WRONG);
        }
        byte[] head = {0, (byte) 0x80, 0, 16, 0, 0, 0, 1, 0, 0, 0, 16, 0, 0, (byte) 0xff, (byte) 0xff};
        assertThat(Answers.ofChange(MemorySegment.ofArray(head), 0, head.length)).isEqualTo(Answers.Verdict.WRONG);
    }
}
