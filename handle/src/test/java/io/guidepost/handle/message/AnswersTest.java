package io.guidepost.handle.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Malformed;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Answers: the bytes that existing servers send for the same requests. */
class AnswersTest {
    private static final Answers ANSWERS = new Answers(1, true);

    /** When the golden answers were made: what they say, less half a day. */
    private static final long NOW = 0x6b00f932L - 43_200;

    private static Message answer(String request, ResponseCode code, Body body, OpFlag... more) throws Malformed {
        byte[] received = Vectors.bytes(request);
        return ANSWERS.answer(Message.read(received), received, code, body, NOW, more);
    }

    private static String hex(Message message) {
        return Vectors.hex(message.write());
    }

    @Test
    void whatWasFoundIsAnsweredAsByExistingServers() throws Malformed {
        Body found = Message.read(Vectors.bytes(Vectors.RESOLVED)).body();
        assertThat(hex(answer(Vectors.RESOLVE, ResponseCode.SUCCESS, found))).isEqualTo(Vectors.RESOLVED);
    }

    @Test
    void aChallengeIsThatOfExistingServers() throws Malformed {
        byte[] received = Vectors.bytes(Vectors.CREATE);
        byte[] nonce = Vectors.bytes("efee92b3e7eb91a230f99bef2faad950");
        assertThat(hex(ANSWERS.challenge(Message.read(received), received, nonce, 17, NOW)))
                .isEqualTo(Vectors.CHALLENGE);
    }

    @Test
    void anOldChallengeHasItsDigestInTheBody() throws Malformed {
        // The library challenges this request of 2.0 with this digest.
        byte[] received = Vectors.bytes("0200020000000000010203040000000000000026" + "000000650000000019000000ffff00007f"
                + "ffffff0000000a00000006313233342f3100000000");
        Message challenge = ANSWERS.challenge(Message.read(received), received, new byte[16], 5, NOW);
        assertThat(challenge.envelope().version()).isEqualTo(new ProtocolVersion(2, 0));
        assertThat(challenge.requestDigest()).isEmpty();
        assertThat(challenge.header().has(OpFlag.RRDG)).isFalse();
        assertThat(challenge.body())
                .isEqualTo(new Body.OldChallenge(new byte[16], Vectors.bytes("316aeb2d03a6d9d4bbc855cfd73e75a7")));
        assertThat(Message.read(challenge.write()).body()).isEqualTo(challenge.body());
    }

    @Test
    void digestsAreTakenAsInEachVersion() throws Malformed {
        // The digests that the library takes of this request in 2.1 and 2.7.
        String request = "0000000000000000000000000000000000000026" + "000000650000000019000000ffff00007fffffff0000000a"
                + "00000006313233342f3100000000";
        assertThat(Vectors.hex(RequestDigest.of(DigestAlgorithm.SHA1, Vectors.bytes(request)).write()))
                .isEqualTo("02" + "c65be3c4a11f9e5ebf43991a789f0f65235c132b");
        assertThat(Vectors.hex(RequestDigest.of(DigestAlgorithm.SHA256, Vectors.bytes(request)).write()))
                .isEqualTo("03" + "41dba525f0aa08c9c2726274834104c30c5dfd596c8e9224026ca9d3c9ae2fbe");
    }

    @Test
    void flagsFollowFromTheRequest() throws Malformed {
        Message request = Message.read(Vectors.bytes(Vectors.RESOLVE));
        Header all = new Header(1, 0, 0xfff00000, 0xffff, 3, 0);
        Message asked = new Message(
                request.envelope(), all, request.requestDigest(), request.body(), request.credential());
        byte[] received = asked.write();
        Message plain = ANSWERS.answer(asked, received, ResponseCode.ERROR, new Body.Text(""), NOW);
        assertThat(plain.header().flags())
                .isEqualTo(OpFlag.REPEATED | OpFlag.RECU.bit() | OpFlag.AUTH.bit())
                .isEqualTo(0xf9900000);
        assertThat(plain.header().recursionCount()).isEqualTo(3);
        assertThat(plain.requestDigest()).contains(RequestDigest.of(DigestAlgorithm.SHA256, received));
        Message more = new Answers(7, false)
                .answer(asked, received, ResponseCode.SUCCESS, request.body(), NOW, OpFlag.CONT, OpFlag.OVRW);
        assertThat(more.header().has(OpFlag.AUTH)).isFalse();
        assertThat(more.header().has(OpFlag.CONT)).isTrue();
        assertThat(more.header().has(OpFlag.OVRW)).isTrue();
        assertThat(more.header().siteSerial()).isEqualTo(7);
    }

    @Test
    void whatCannotBeReadIsAnsweredWithoutTrustingIt() {
        unreadable(new byte[0], ResponseCode.PROTOCOL_ERROR);
        unreadable(Arrays.copyOf(Vectors.bytes(Vectors.RESOLVE), 20), ResponseCode.PROTOCOL_ERROR);
        unreadable(Vectors.bytes(Vectors.RESOLVE.replace("2e00000001", "2e00000000")), ResponseCode.PROTOCOL_ERROR);
        unreadable(Vectors.bytes(Vectors.RESOLVE.replace("2e00000001", "2e00000009")), ResponseCode.ERROR);
        unreadable(Vectors.bytes(Vectors.RESOLVE.replace("00000012", "00000999")), ResponseCode.ERROR);
        unreadable(Vectors.bytes(Vectors.RESOLVED), ResponseCode.ERROR);
    }

    private static void unreadable(byte[] received, ResponseCode code) {
        Malformed fault = org.assertj.core.api.Assertions.catchThrowableOfType(
                Malformed.class, () -> Message.readRequest(received));
        Message answer = Answers.toUnreadable(received, fault, NOW);
        assertThat(answer.responseCode()).contains(code);
        assertThat(answer.envelope().version()).isEqualTo(new ProtocolVersion(2, 3));
        assertThat(answer.envelope().suggested()).isEqualTo(ProtocolVersion.CURRENT);
        assertThat(answer.envelope().requestId()).isEqualTo(-1);
        assertThat(answer.header().opcode()).isZero();
        assertThat(answer.header().flags()).isEqualTo(0x19000000);
        assertThat(answer.header().siteSerial()).isEqualTo(0xffff);
    }
}
