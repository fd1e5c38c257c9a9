package io.guidepost.handle.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Answers: the bytes that existing servers send for the same requests. */
class ResponseBuilderTest {
    private static final ResponseBuilder ANSWERS = new ResponseBuilder(1, true);

    /** When the golden answers were made: what they say, less half a day. */
    private static final long NOW = 0x6b00f932L - 43_200;

    private static HandleMessage answer(String request, ResponseCode code, MessageBody body, OpFlag... more) throws Malformed {
        byte[] received = HandleVectors.bytes(request);
        return ANSWERS.answer(HandleMessage.read(received), received, code, body, NOW, more);
    }

    private static String hex(HandleMessage message) {
        return HandleVectors.hex(message.write());
    }

    @Test
    void whatWasFoundIsAnsweredAsByExistingServers() throws Malformed {
        MessageBody found = HandleMessage.read(HandleVectors.bytes(HandleVectors.RESOLVED)).body();
        assertThat(hex(answer(HandleVectors.RESOLVE, ResponseCode.SUCCESS, found))).isEqualTo(HandleVectors.RESOLVED);
    }

    @Test
    void aChallengeIsThatOfExistingServers() throws Malformed {
        byte[] received = HandleVectors.bytes(HandleVectors.CREATE);
        byte[] nonce = HandleVectors.bytes("efee92b3e7eb91a230f99bef2faad950");
        assertThat(hex(ANSWERS.challenge(HandleMessage.read(received), received, nonce, 17, NOW)))
                .isEqualTo(HandleVectors.CHALLENGE);
    }

    @Test
    void anOldChallengeHasItsDigestInTheBody() throws Malformed {
        // The library challenges this request of 2.0 with this digest.
        byte[] received = HandleVectors.bytes("0200020000000000010203040000000000000026" + "000000650000000019000000ffff00007f"
                + "ffffff0000000a00000006313233342f3100000000");
        HandleMessage challenge = ANSWERS.challenge(HandleMessage.read(received), received, new byte[16], 5, NOW);
        assertThat(challenge.envelope().version()).isEqualTo(new ProtocolVersion(2, 0));
        assertThat(challenge.requestDigest()).isEmpty();
        assertThat(challenge.header().has(OpFlag.RRDG)).isFalse();
        assertThat(challenge.body())
                .usingRecursiveComparison()
                .isEqualTo(new MessageBody.OldChallenge(new byte[16], HandleVectors.bytes("316aeb2d03a6d9d4bbc855cfd73e75a7")));
        assertThat(HandleMessage.read(challenge.write()).body()).usingRecursiveComparison().isEqualTo(challenge.body());
        ByteBuffer.wrap(received).putInt(HandleWire.OP_FLAGS, OpFlag.RRDG.bit());
        HandleMessage wanted = HandleMessage.read(received);
        assertThat(ANSWERS.challenge(wanted, received, new byte[16], 5, NOW).requestDigest()).isEmpty();
        assertThat(ANSWERS.answer(wanted, received, ResponseCode.SUCCESS, new MessageBody.Empty(), NOW).requestDigest()).isPresent();
    }

    @Test
    void digestsAreTakenAsInEachVersion() throws Malformed {
        // The digests that the library takes of this request in 2.1 and 2.7.
        String request = "0000000000000000000000000000000000000026" + "000000650000000019000000ffff00007fffffff0000000a"
                + "00000006313233342f3100000000";
        assertThat(HandleVectors.hex(RequestDigest.of(DigestAlgorithm.SHA1, HandleVectors.bytes(request)).write()))
                .isEqualTo("02" + "c65be3c4a11f9e5ebf43991a789f0f65235c132b");
        assertThat(HandleVectors.hex(RequestDigest.of(DigestAlgorithm.SHA256, HandleVectors.bytes(request)).write()))
                .isEqualTo("03" + "41dba525f0aa08c9c2726274834104c30c5dfd596c8e9224026ca9d3c9ae2fbe");
    }

    @Test
    void flagsFollowFromTheRequest() throws Malformed {
        HandleMessage request = HandleMessage.read(HandleVectors.bytes(HandleVectors.RESOLVE));
        MessageHeader all = new MessageHeader(1, 0, 0xfff00000, 0xffff, 3, 0);
        HandleMessage asked = new HandleMessage(
                request.envelope(), all, request.requestDigest(), request.body(), request.credential());
        byte[] received = asked.write();
        HandleMessage plain = ANSWERS.answer(asked, received, ResponseCode.ERROR, new MessageBody.Text(""), NOW);
        assertThat(plain.header().flags())
                .isEqualTo(OpFlag.REPEATED | OpFlag.RECU.bit() | OpFlag.AUTH.bit())
                .isEqualTo(0xf9900000);
        assertThat(plain.header().recursionCount()).isEqualTo(3);
        assertThat(plain.requestDigest()).contains(RequestDigest.of(DigestAlgorithm.SHA256, received));
        HandleMessage more = new ResponseBuilder(7, false)
                .answer(asked, received, ResponseCode.SUCCESS, request.body(), NOW, OpFlag.CONT, OpFlag.OVRW);
        assertThat(more.header().has(OpFlag.AUTH)).isFalse();
        assertThat(more.header().has(OpFlag.CONT)).isTrue();
        assertThat(more.header().has(OpFlag.OVRW)).isTrue();
        assertThat(more.header().siteSerial()).isEqualTo(7);
    }

    @Test
    void whatCannotBeReadIsAnsweredWithoutTrustingIt() {
        unreadable(new byte[0], ResponseCode.PROTOCOL_ERROR);
        unreadable(Arrays.copyOf(HandleVectors.bytes(HandleVectors.RESOLVE), 20), ResponseCode.PROTOCOL_ERROR);
        unreadable(HandleVectors.bytes(HandleVectors.RESOLVE.replace("2e00000001", "2e00000000")), ResponseCode.PROTOCOL_ERROR);
        unreadable(HandleVectors.bytes(HandleVectors.RESOLVE.replace("2e00000001", "2e00000009")), ResponseCode.ERROR);
        unreadable(HandleVectors.bytes(HandleVectors.RESOLVE.replace("00000012", "00000999")), ResponseCode.ERROR);
        unreadable(HandleVectors.bytes(HandleVectors.RESOLVED), ResponseCode.ERROR);
        unreadable(Arrays.copyOf(HandleVectors.bytes(HandleVectors.RESOLVE), 43), ResponseCode.PROTOCOL_ERROR);
        unreadable(Arrays.copyOf(HandleVectors.bytes(HandleVectors.RESOLVE), 44), ResponseCode.ERROR);
    }

    @Test
    void aSerialNumberHasSixteenBits() {
        assertThat(new ResponseBuilder(0xffff, true).siteSerial()).isEqualTo(0xffff);
        for (int each : new int[] {-1, 0x1_0000}) {
            assertThatThrownBy(() -> new ResponseBuilder(each, true)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static void unreadable(byte[] received, ResponseCode code) {
        Malformed fault = org.assertj.core.api.Assertions.catchThrowableOfType(
                Malformed.class, () -> HandleMessage.readRequest(received));
        HandleMessage answer = ResponseBuilder.toUnreadable(received, fault, NOW);
        assertThat(answer.responseCode()).contains(code);
        assertThat(answer.envelope().version()).isEqualTo(new ProtocolVersion(2, 3));
        assertThat(answer.envelope().suggested()).isEqualTo(ProtocolVersion.CURRENT);
        assertThat(answer.envelope().requestId()).isEqualTo(-1);
        assertThat(answer.header().opcode()).isZero();
        assertThat(answer.header().flags()).isEqualTo(0x19000000);
        assertThat(answer.header().siteSerial()).isEqualTo(0xffff);
        assertThat(answer.header().expirySeconds()).isEqualTo(NOW + 43_200);
    }
}
