package io.guidepost.handle.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.ValueReference;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Messages of each layout: golden bytes both ways, what they say, round trips, and what is refused. */
class HandleMessageTest {
    private static HandleMessage message(String hex) throws Malformed {
        return HandleMessage.read(HandleVectors.bytes(hex));
    }

    private static MessageBody body(String hex) throws Malformed {
        return message(hex).body();
    }

    @Test
    void goldenMessagesAreReadAndWritten() throws Malformed {
        Set<Class<?>> layouts = new HashSet<>();
        for (Map.Entry<String, String> each : HandleVectors.all().entrySet()) {
            HandleMessage message = message(each.getValue());
            assertThat(HandleVectors.hex(message.write())).as(each.getKey()).isEqualTo(each.getValue());
            layouts.add(message.body().getClass());
        }
        layouts.add(MessageBody.Indexes.class); // Has its own test below: its bytes were seen in a session only.
        layouts.add(MessageBody.Site.class); // Has its own test in RecordsTest.
        layouts.add(MessageBody.Following.class); // One byte, written and read below.
        assertThat(layouts).containsExactlyInAnyOrder(MessageBody.class.getPermittedSubclasses());
    }

    @Test
    void aQuestionSaysWhatIsWanted() throws Malformed {
        HandleMessage message = message(HandleVectors.RESOLVE_SOME);
        assertThat(message.operation()).contains(HandleOperation.RESOLVE);
        assertThat(message.header().isRequest()).isTrue();
        assertThat(message.envelope().version()).isEqualTo(ProtocolVersion.CURRENT);
        assertThat(message.envelope().suggested()).isEqualTo(ProtocolVersion.CURRENT);
        assertThat(message.envelope().requestId()).isEqualTo(0x420e35a3);
        assertThat(message.envelope().length()).isEqualTo(57);
        assertThat(message.header().siteSerial()).isEqualTo(1);
        assertThat(message.header().expirySeconds()).isEqualTo(1_795_225_906L);
        assertThat(message.header().has(OpFlag.PUBL)).isTrue();
        assertThat(message.header().has(OpFlag.AUTH)).isFalse();
        assertThat(message.body())
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Resolve(Handle.of("1234/1"), List.of(2), List.of("URL")));
        assertThat(message.credential()).isEmpty();
    }

    @Test
    void anAnswerHasTheValues() throws Malformed {
        HandleMessage message = message(HandleVectors.RESOLVED);
        assertThat(message.responseCode()).contains(ResponseCode.SUCCESS);
        MessageBody.Values found = (MessageBody.Values) message.body();
        assertThat(found.handle()).isEqualTo(Handle.of("1234/1"));
        assertThat(found.values()).extracting(HandleValue::index).containsExactly(1, 2, 100);
        assertThat(found.values()).extracting(HandleValue::type).containsExactly("URL", "EMAIL", "HS_ADMIN");
    }

    @Test
    void errorsHaveATextThatMayBeEmpty() throws Malformed {
        assertThat(message(HandleVectors.NO_VALUES).responseCode()).contains(ResponseCode.VALUES_NOT_FOUND);
        assertThat(body(HandleVectors.NO_VALUES))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Text(""));
        assertThat(body(HandleVectors.NOT_RESPONSIBLE))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Text("That prefix doesn't live here"));
        assertThat(body(HandleVectors.ADD_CONFLICT))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Text("Index conflict for 2"));
        assertThat(body(HandleVectors.TERMINATED))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Empty());
        assertThat(message(HandleVectors.ERROR_DIGEST).requestDigest())
                .contains(new RequestDigest(DigestAlgorithm.SHA256, new byte[32]));
        assertThat(body(HandleVectors.ERROR_DIGEST))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Text("oops"));
    }

    @Test
    void aChallengeHasTheDigestOfItsRequest() throws Malformed {
        HandleMessage challenge = message(HandleVectors.CHALLENGE);
        assertThat(challenge.requestDigest())
                .contains(RequestDigest.of(DigestAlgorithm.SHA256, HandleVectors.bytes(HandleVectors.CREATE)));
        assertThat(challenge.body())
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Challenge(HandleVectors.bytes("efee92b3e7eb91a230f99bef2faad950")));
        assertThat(challenge.envelope().sessionId()).isEqualTo(17);
        assertThat(body(HandleVectors.OLD_CHALLENGE)).isInstanceOf(MessageBody.OldChallenge.class);
    }

    @Test
    void sessionsAreSetUpInFourWays() throws Malformed {
        ValueReference who = new ValueReference(Handle.of("1234/A"), 300);
        byte[] key = {1, 2, 3};
        assertThat(body(HandleVectors.SETUP_1))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Setup(new KeyExchange.ClientKey(key), 100, who));
        assertThat(body(HandleVectors.SETUP_2))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Setup(new KeyExchange.ServerKey(), 100, who));
        assertThat(body(HandleVectors.SETUP_3))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Setup(
                        new KeyExchange.ReferredKey(new ValueReference(Handle.of("1234/B"), 301)), 100, who));
        assertThat(body(HandleVectors.SETUP_4))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Setup(
                        new KeyExchange.DiffieHellman(key),
                        86_400,
                        new ValueReference(Handle.NONE, ValueReference.ANONYMOUS)));
        assertThat(body(HandleVectors.SETUP_REPLY))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.SetupReply(4, key));
        assertThat(body(HandleVectors.EXCHANGE_KEY))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Key(key));
    }

    @Test
    void mirrorsSayWhereTheyAre() throws Malformed {
        MirrorPartition receiver = new MirrorPartition(SiteRecord.Hash.HANDLE, 3, 1);
        assertThat(body(HandleVectors.TRANSACTIONS))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Transactions(new ReplicationPosition.Last(7, 1_234_567_890_123L, true), receiver));
        assertThat(body(HandleVectors.TRANSACTIONS_OLD))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Transactions(new ReplicationPosition.Last(7, 1_234_567_890_123L, false), receiver));
        assertThat(body(HandleVectors.DUMP))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Dump(receiver, List.of()));
        assertThat(body(HandleVectors.DUMP_FROM))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Dump(receiver, List.of(new ValueReference(Handle.of("1234/a"), 1))));
    }

    @Test
    void referralsNameAServiceOrItsSites() throws Malformed {
        assertThat(body(HandleVectors.REFERRAL))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Referral(Handle.of("1234/S"), List.of()));
        assertThat(body(HandleVectors.REFERRAL_VALUES))
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.Referral(Handle.NONE, List.of(HandleValue.of(1, "URL", "x"))));
    }

    @Test
    void aCredentialHasItsParts() throws Malformed {
        MessageCredential credential = message(HandleVectors.M_CREATE).credential().orElseThrow();
        assertThat(credential.signer()).isEqualTo(Handle.NONE);
        assertThat(credential.counter()).isEqualTo(5);
        assertThat(credential.type()).isEqualTo(MessageCredential.MAC);
        assertThat(credential.digest()).isEqualTo("HMAC-SHA256");
        assertThat(HandleVectors.hex(credential.signature()))
                .isEqualTo("cf345a1f368399c60d0820e6dee3ad415365df018eb32160b2c5f24cd66fc8a5");
    }

    @Test
    void indexesToBeRemovedAreReadAndWritten() throws Malformed {
        MessageBody.Indexes indexes = new MessageBody.Indexes(Handle.of("1234/1"), List.of(2, -1));
        HandleMessage message = HandleMessage.of(HandleEnvelope.of(0, 1), MessageHeader.request(HandleOperation.REMOVE_VALUES, 1), indexes);
        assertThat(HandleVectors.hex(indexes.write())).isEqualTo("00000006313233342f310000000200000002ffffffff");
        assertThat(HandleMessage.read(message.write()).body()).isEqualTo(indexes);
    }

    @Test
    void whatFollowsABodyIsIgnored() throws Malformed {
        String longer = HandleVectors.RESOLVE.replace("2e000000010000", "32000000010000").replace("00000012", "00000016");
        assertThat(body(longer.substring(0, longer.length() - 8) + "deadbeef00000000")).isEqualTo(body(HandleVectors.RESOLVE));
    }

    @Test
    void aMissingCredentialIsNone() throws Malformed {
        String shorter = HandleVectors.RESOLVE.replace("2e000000010000", "2a000000010000");
        HandleMessage message = message(shorter.substring(0, shorter.length() - 8));
        assertThat(message.credential()).isEmpty();
        assertThat(message.body()).isEqualTo(body(HandleVectors.RESOLVE));
    }

    @Test
    void everyCutIsRefused() {
        for (Map.Entry<String, String> each : HandleVectors.all().entrySet()) {
            byte[] whole = HandleVectors.bytes(each.getValue());
            for (int length = 0; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> HandleMessage.read(cut)).as(each.getKey()).isInstanceOf(Malformed.class);
            }
            assertThatThrownBy(() -> HandleMessage.read(Arrays.copyOf(whole, whole.length + 1)))
                    .as(each.getKey())
                    .isInstanceOf(Malformed.class);
        }
    }

    @Test
    void whatIsNoRequestIsRefused() {
        refused("020b020b000000007518a1b9000000000000000a" + "00000001000000001900", "cut off", 28);
        refused(HandleVectors.RESOLVE.replace("000000010000000019", "000003e70000000019"), "number 999", 20);
        refused(HandleVectors.E_RESOLVE, "encrypted", 2);
        refused(HandleVectors.RESOLVE.replace("0000002e0000", "000400010000"), "at most 262144", 16);
        refused(HandleVectors.RESOLVE.replace("00000012000000", "7fffffff000000"), "and 22 are left", 40);
        refused(HandleVectors.CHALLENGE.replace("3503" + "8c", "3504" + "8c"), "digest of a request", 44);
        refused(HandleVectors.SETUP_2.replace("00020000", "00070000"), "1 to 4", 44);
        refused(HandleVectors.TRANSACTIONS.replace("1a000000", "1a020000"), "0 (number and time) or 1", 44);
        refused(HandleVectors.M_CREATE.replace("0000004d0000", "0000004d0100"), "version of a credential", 164);
    }

    private static void refused(String hex, String reason, int offset) {
        assertThatThrownBy(() -> message(hex))
                .as(hex)
                .isInstanceOf(Malformed.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("(at offset " + offset + ")");
    }

    @Test
    void aMessageIsReadAmongOtherBytes() throws Malformed {
        byte[] one = HandleVectors.bytes(HandleVectors.CREATE);
        byte[] among = new byte[7 + one.length + 9];
        Arrays.fill(among, (byte) 0x55);
        System.arraycopy(one, 0, among, 7, one.length);
        WireReader in = new WireReader(MemorySegment.ofArray(among), 7, one.length + 9);
        assertThat(HandleMessage.readPrefix(in)).isEqualTo(HandleMessage.read(one));
    }

    @Test
    void whatIsWrittenIsReadAgain() throws Malformed {
        SplittableRandom random = new SplittableRandom(52);
        Set<Class<?>> layouts = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            HandleMessage message = RandomHandleMessages.any(random);
            byte[] bytes = message.write();
            HandleMessage again = HandleMessage.read(bytes);
            // The comparison of all fields is what takes the time; the bytes below hold them too.
            if (i % 10 == 0) {
                assertThat(again)
                        .usingRecursiveComparison()
                        .isEqualTo(message.with(message.envelope().withLength(bytes.length - 20)));
            }
            assertThat(again.write()).isEqualTo(bytes);
            layouts.add(message.body().getClass());
        }
        assertThat(layouts).containsExactlyInAnyOrder(MessageBody.class.getPermittedSubclasses());
    }

    @Test
    void theLongestMessageIsWrittenAndALongerOneIsNot() throws Malformed {
        byte[] key = new byte[HandleLimits.MESSAGE_BYTES_MAX - 24 - 4 - 4];
        assertThat(HandleEnvelope.readPrefix(new WireReader(exchange(key).write())).length()).isEqualTo(262_144);
        HandleMessage longer = exchange(Arrays.copyOf(key, key.length + 1));
        assertThatThrownBy(longer::write).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("262144");
    }

    private static HandleMessage exchange(byte[] key) {
        return HandleMessage.of(
                HandleEnvelope.of(0, 1), MessageHeader.request(HandleOperation.EXCHANGE_KEY, 0), new MessageBody.Key(key));
    }

    /** One byte more at the end of the message, of the credential, and of its last part, each where all lengths say so. */
    @Test
    void nothingFollowsACredential() {
        int end = HandleVectors.M_CREATE.length() / 2;
        for (int[] lengths : new int[][] {{16}, {16, 160}, {16, 160, 186}}) {
            ByteBuffer longer = ByteBuffer.wrap(HandleVectors.bytes(HandleVectors.M_CREATE + "00"));
            for (int at : lengths) {
                longer.putInt(at, longer.getInt(at) + 1);
            }
            assertThatThrownBy(() -> HandleMessage.read(longer.array()))
                    .isInstanceOf(Malformed.class)
                    .hasMessageContaining("(at offset " + end + ")");
        }
    }

    @Test
    void fieldsHoldWhatTheirBitsDo() {
        assertThat(new MessageHeader(1, 0, 0, 0xffff, 0xff, 0xffff_ffffL).expirySeconds()).isEqualTo(0xffff_ffffL);
        for (long[] each : new long[][] {{0x1_0000, 0, 0}, {-1, 0, 0}, {0, 0x100, 0}, {0, -1, 0}, {0, 0, 1L << 32}, {0, 0, -1}}) {
            assertThatThrownBy(() -> new MessageHeader(1, 0, 0, (int) each[0], (int) each[1], each[2]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        HandleEnvelope envelope = HandleEnvelope.of(0, 1);
        assertThat(envelope.withLength(HandleLimits.MESSAGE_BYTES_MAX).length()).isEqualTo(262_144);
        for (int each : new int[] {-1, HandleLimits.MESSAGE_BYTES_MAX + 1}) {
            assertThatThrownBy(() -> envelope.withLength(each)).isInstanceOf(IllegalArgumentException.class);
        }
        ProtocolVersion third = new ProtocolVersion(3, 0);
        ProtocolVersion fourth = new ProtocolVersion(4, 0);
        assertThat(new HandleEnvelope(fourth, third, true, true, true, 0, 1, 0, 0).write()).startsWith(4, 0, 0xe3, 0);
        assertThatThrownBy(() -> new HandleEnvelope(third, fourth, false, false, false, 0, 1, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RequestDigest(DigestAlgorithm.SHA1, new byte[32])).isInstanceOf(IllegalArgumentException.class);
        ValueReference from = new ValueReference(Handle.NONE, 1);
        MirrorPartition all = new MirrorPartition(SiteRecord.Hash.HANDLE, 1, 0);
        assertThatThrownBy(() -> new MessageBody.Dump(all, List.of(from, from))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anEnvelopeIsReadWithoutItsMessage() throws Malformed {
        HandleEnvelope envelope = new HandleEnvelope(
                new ProtocolVersion(2, 3), new ProtocolVersion(1, 2), false, true, true, 0x0102_0304, 5, 6, HandleLimits.MESSAGE_BYTES_MAX);
        assertThat(HandleEnvelope.readPrefix(new WireReader(envelope.write()))).isEqualTo(envelope);
        assertThat(envelope.withEncrypted(false).withSession(7).withLength(8))
                .isEqualTo(new HandleEnvelope(envelope.version(), envelope.suggested(), false, false, true, 7, 5, 6, 8));
    }

    @Test
    void theShortestErrorHasTheCodeAlone() throws Malformed {
        HandleMessage error = message(HandleVectors.ERROR_DIGEST);
        HandleMessage shortest = error.shortestError();
        assertThat(shortest.write()).hasSize(20 + 24 + 4);
        assertThat(HandleMessage.read(shortest.write()).responseCode()).isEqualTo(error.responseCode());
        assertThat(shortest.header().flags()).isEqualTo(error.header().flags() & ~OpFlag.of(OpFlag.RRDG, OpFlag.CERT));
    }

    @Test
    void digestsAreEqualByAlgorithmAndBytes() {
        RequestDigest digest = new RequestDigest(DigestAlgorithm.MD5, new byte[16]);
        byte[] other = new byte[16];
        other[15] = 1;
        assertThat(digest).isEqualTo(new RequestDigest(DigestAlgorithm.MD5, new byte[16]))
                .hasSameHashCodeAs(new RequestDigest(DigestAlgorithm.MD5, new byte[16]))
                .isNotEqualTo(new RequestDigest(DigestAlgorithm.MD5_OLD, new byte[16]))
                .isNotEqualTo(new RequestDigest(DigestAlgorithm.MD5, other))
                .doesNotHaveSameHashCodeAs(new RequestDigest(DigestAlgorithm.MD5, other))
                .isNotEqualTo("a digest");
    }

    @Test
    void numbersThatNobodyKnowsAreNone() throws Malformed {
        HandleMessage answer = message(HandleVectors.ERROR_DIGEST);
        MessageHeader unknown = new MessageHeader(999, 998, 0, 0, 0, 0);
        HandleMessage read = HandleMessage.read(HandleMessage.of(answer.envelope(), unknown, new MessageBody.Text("x")).write());
        assertThat(read.operation()).isEmpty();
        assertThat(read.responseCode()).isEmpty();
        assertThat(read.body()).isEqualTo(new MessageBody.Text("x"));
        assertThatThrownBy(() -> HandleMessage.readRequest(read.write())).isInstanceOf(Malformed.class);
    }

    @Test
    void aStreamIsSplitIntoItsMessages() throws IOException {
        byte[] one = HandleVectors.bytes(HandleVectors.RESOLVE);
        byte[] two = HandleEnvelope.of(5, 6).write();
        InputStream in = new ByteArrayInputStream(HandleVectors.bytes(HandleVectors.RESOLVE + HandleVectors.hex(two)));
        assertThat(MessageFraming.read(in)).hasValueSatisfying(each -> assertThat(each).isEqualTo(one));
        assertThat(MessageFraming.read(in)).hasValueSatisfying(each -> assertThat(each).isEqualTo(two));
        assertThat(MessageFraming.read(in)).isEmpty();
        assertThat(MessageFraming.requestId(one)).isEqualTo(0x7518_a1b9);
        for (int length = 1; length < one.length; length++) {
            byte[] cut = Arrays.copyOf(one, length);
            assertThatThrownBy(() -> MessageFraming.read(new ByteArrayInputStream(cut))).isInstanceOf(IOException.class);
        }
        byte[] wrong = ByteBuffer.wrap(one.clone()).putInt(16, -1).array();
        assertThatThrownBy(() -> MessageFraming.read(new ByteArrayInputStream(wrong)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("at most 262144");
    }
}
