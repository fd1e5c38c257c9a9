package io.guidepost.handle.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageCredential;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.ProtocolVersion;
import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.util.HexFormat;
import javax.crypto.spec.DHPrivateKeySpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Signatures that are right but for one thing, and keys that both sides agree on but that hold too little. */
class RefusedProofsTest {
    private static final int COUNTER = 3;

    private static KeyPair rsa;
    private static KeyPair dsa;

    @BeforeAll
    static void makeKeys() throws Exception {
        rsa = pair("RSA");
        dsa = pair("DSA");
    }

    private static KeyPair pair(String algorithm) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(1024);
        return generator.generateKeyPair();
    }

    private static HandleMessage message(int minor) {
        HandleEnvelope envelope =
                new HandleEnvelope(new ProtocolVersion(2, minor), ProtocolVersion.CURRENT, false, false, false, 7, 8, 0, 0);
        return HandleMessage.of(envelope, MessageHeader.request(HandleOperation.DELETE, 0), new MessageBody.Named(Handle.of("a/b")));
    }

    /** A message with a signature that is right, said to be of a type and made with a digest. */
    private static byte[] signed(String type, String digest, String algorithm, KeyPair by) throws Exception {
        HandleMessage message = message(11);
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(by.getPrivate());
        signature.update(AuthenticatedBytes.of(message.write(), COUNTER).orElseThrow());
        return message.with(new MessageCredential(Handle.NONE, COUNTER, type, digest, signature.sign())).write();
    }

    private static boolean verifies(byte[] bytes, KeyPair by, boolean weakToo) throws Malformed {
        return MessageSignature.verifies(bytes, HandleMessage.read(bytes), by.getPublic(), weakToo);
    }

    @Test
    void aSignatureIsOneByItsType() throws Exception {
        assertThat(verifies(signed("HS_SIGNED", "SHA-256", "SHA256withRSA", rsa), rsa, false)).isTrue();
        assertThat(verifies(signed("HS_DSAPUBKEY", "SHA1", "SHA1withDSA", dsa), dsa, false)).isTrue();
        assertThat(verifies(signed("HS_MAC", "SHA-256", "SHA256withRSA", rsa), rsa, false)).isFalse();
        assertThat(verifies(signed("", "SHA-256", "SHA256withRSA", rsa), rsa, false)).isFalse();
    }

    @Test
    void andByItsDigest() throws Exception {
        assertThat(verifies(signed("HS_SIGNED", "SHA256", "SHA256withRSA", rsa), rsa, false)).isTrue();
        assertThat(verifies(signed("HS_SIGNED", "SHA-512", "SHA512withRSA", rsa), rsa, false)).as("none of ours").isFalse();
        assertThat(verifies(signed("HS_SIGNED", "SHA1", "SHA256withRSA", rsa), rsa, false)).as("another").isFalse();
        assertThat(verifies(signed("HS_SIGNED", "MD5", "MD5withRSA", rsa), rsa, false)).as("weak").isFalse();
        assertThat(verifies(signed("HS_SIGNED", "MD5", "MD5withRSA", rsa), rsa, true)).as("weak, allowed").isTrue();
    }

    @Test
    void aKeyOfAnotherKindIsADoubtAndNoFailure() throws Exception {
        assertThat(verifies(signed("HS_SIGNED", "SHA-256", "SHA256withRSA", rsa), dsa, false)).isFalse();
        assertThat(verifies(signed("HS_SIGNED", "MD5", "MD5withRSA", rsa), dsa, true)).as("there is no MD5withDSA").isFalse();
    }

    /** In integers that are even, no even number has an inverse: the JDK throws what nobody declares. */
    @Test
    void aKeyOfDsaThatIsNoneIsADoubtAndNoFailure() throws Exception {
        PublicKeyRecord.Dsa right = (PublicKeyRecord.Dsa) PublicKeyRecord.read(
                PublicKeyRecord.of(dsa.getPublic()).write());
        PublicKey wrong = new PublicKeyRecord.Dsa(BigInteger.ONE.shiftLeft(159), right.p(), right.g(), right.y()).key();
        byte[] signature = HexFormat.of().parseHex("3006020102020102");
        byte[] nonce = new byte[16];
        assertThat(new PublicKeyProof("SHA-256", signature).verifies(wrong, nonce, nonce, false)).isFalse();
        byte[] bytes = message(11)
                .with(new MessageCredential(Handle.NONE, COUNTER, "HS_SIGNED", "SHA-256", signature))
                .write();
        assertThat(MessageSignature.verifies(bytes, HandleMessage.read(bytes), wrong, false)).isFalse();
    }

    @Test
    void versionsWithALayoutThatIsNotSpokenAreNotBelieved() throws Exception {
        for (int minor : new int[] {5, 6}) {
            byte[] bytes = message(minor)
                    .with(new MessageCredential(Handle.NONE, COUNTER, "HS_SIGNED", "SHA-256", new byte[128]))
                    .write();
            assertThat(verifies(bytes, rsa, true)).isFalse();
        }
    }

    /**
     * A client may choose a group whose prime is none: 3r, in which 1+r is its own inverse. What both have in common is then 1
     * with every second exponent of the server's.
     */
    @Test
    void whatIsNoSecretIsNoKey() throws Exception {
        BigInteger r = BigInteger.ONE.shiftLeft(1022).add(BigInteger.ONE);
        while (r.mod(BigInteger.valueOf(3)).intValue() != 1) {
            r = r.add(BigInteger.TWO);
        }
        BigInteger p = r.multiply(BigInteger.valueOf(3));
        PublicKeyRecord.Dh client = new PublicKeyRecord.Dh(r.add(BigInteger.ONE), p, BigInteger.TWO);
        assertThat(DiffieHellman.serverKeys(client, false, new SecureRandom()).getPublic()).isNotNull();
        for (SessionCipher cipher : SessionCipher.values()) {
            assertThat(DiffieHellman.agree(exponent(5, p), client, cipher)).as("odd").isNotNull();
            assertThatThrownBy(() -> DiffieHellman.agree(exponent(4, p), client, cipher))
                    .isInstanceOf(Malformed.class)
                    .hasMessageContaining("is no secret");
            PublicKeyRecord.Dh two = new PublicKeyRecord.Dh(BigInteger.TWO, p, BigInteger.TWO);
            assertThatThrownBy(() -> DiffieHellman.agree(exponent(9, p), two, cipher))
                    .isInstanceOf(Malformed.class)
                    .hasMessageContaining("too short for a key");
        }
    }

    private static PrivateKey exponent(long x, BigInteger p) throws Exception {
        return KeyFactory.getInstance("DH").generatePrivate(new DHPrivateKeySpec(BigInteger.valueOf(x), p, BigInteger.TWO));
    }

    /** A proof by a derived key: kind, salt, iterations, bits of the key, proof. */
    private static byte[] derived(int iterations, int keyBits, int proofBytes) {
        return new WireWriter()
                .u8(0x22)
                .bytes(new byte[16])
                .u32(iterations)
                .u32(keyBits)
                .bytes(new byte[proofBytes])
                .toBytes();
    }

    @Test
    void aProofThatAsksForOtherWorkIsRefused() throws Exception {
        assertThat(SecretKeyProof.read(derived(1, 80, 20)).iterations()).isEqualTo(1);
        assertThat(SecretKeyProof.read(derived(100_000, 320, 20)).keyBits()).isEqualTo(320);
        int[][] wrong = {
            {0, 160, 20}, {-1, 160, 20}, {100_001, 160, 20}, {1, 72, 20}, {1, 328, 20}, {1, 161, 20}, {1, -8, 20}, {1, 160, 19},
            {1, 160, 0}
        };
        for (int[] each : wrong) {
            assertThatThrownBy(() -> SecretKeyProof.read(derived(each[0], each[1], each[2])))
                    .isInstanceOf(Malformed.class)
                    .hasMessageContaining("PBKDF2 takes 1 to 100000 iterations");
        }
        assertThatThrownBy(() -> SecretKeyProof.read(derived(1, 160, 21))).isInstanceOf(Malformed.class);
    }
}
