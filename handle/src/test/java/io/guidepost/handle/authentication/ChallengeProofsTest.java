package io.guidepost.handle.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.handle.authentication.SecretKeyProof.Kind;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.message.RequestDigest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.Test;

/** Answers to challenges: those of existing clients verify, ours verify, and nothing else does. */
class ChallengeProofsTest {
    private static final byte[] SECRET = "secret".getBytes(StandardCharsets.UTF_8);

    private record Asked(byte[] nonce, byte[] digest) {}

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static Asked asked(String challenge) throws Malformed {
        HandleMessage message = HandleMessage.read(bytes(challenge));
        RequestDigest digest = message.requestDigest().orElseThrow();
        return new Asked(((MessageBody.Challenge) message.body()).nonce(), digest.digest());
    }

    private static byte[] answer(String message) throws Malformed {
        return ((MessageBody.Answer) HandleMessage.read(bytes(message)).body()).answer();
    }

    private static byte[] flipped(byte[] bytes, int at) {
        byte[] other = bytes.clone();
        other[at] ^= 1;
        return other;
    }

    @Test
    void theSignatureOfAClientVerifies() throws Malformed {
        PublicKey key = PublicKeyRecord.read(bytes(MoreProofs.ADMIN_KEY)).key();
        Asked asked = asked(MoreProofs.CHALLENGE);
        PublicKeyProof answer = PublicKeyProof.read(answer(MoreProofs.ANSWER));
        assertThat(answer.digest()).isEqualTo("SHA-256");
        assertThat(answer.write()).isEqualTo(answer(MoreProofs.ANSWER));
        assertThat(answer.verifies(key, asked.nonce, asked.digest, false)).isTrue();
        assertThat(answer.verifies(key, flipped(asked.nonce, 0), asked.digest, false)).isFalse();
        assertThat(answer.verifies(key, asked.nonce, flipped(asked.digest, 31), false)).isFalse();
        PublicKey dsa = PublicKeyRecord.read(bytes(MoreProofs.ADMIN_DSA_KEY)).key();
        PublicKey server = PublicKeyRecord.read(bytes(MoreProofs.SERVER_KEY)).key();
        assertThat(answer.verifies(dsa, asked.nonce, asked.digest, false)).isFalse();
        assertThat(answer.verifies(server, asked.nonce, asked.digest, false)).isFalse();
    }

    @Test
    void oursVerifyInEachVersion() throws GeneralSecurityException, Malformed {
        byte[] nonce = {1, 2, 3};
        byte[] digest = {4, 5, 6};
        for (String algorithm : new String[] {"RSA", "DSA"}) {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(1024);
            KeyPair pair = generator.generateKeyPair();
            for (int minor : new int[] {1, 6, 7, 10, 11}) {
                ProtocolVersion version = new ProtocolVersion(2, minor);
                PublicKeyProof answer = PublicKeyProof.sign(pair.getPrivate(), version, nonce, digest);
                boolean modern = minor == 11 || minor >= 7 && algorithm.equals("RSA");
                assertThat(answer.digest()).isEqualTo(modern ? "SHA-256" : "SHA1");
                PublicKeyProof read = PublicKeyProof.read(answer.write());
                assertThat(read).usingRecursiveComparison().isEqualTo(answer);
                assertThat(read.verifies(pair.getPublic(), nonce, digest, false)).isTrue();
                assertThat(new PublicKeyProof(modern ? "SHA256" : "SHA-1", answer.signature())
                                .verifies(pair.getPublic(), nonce, digest, false))
                        .isTrue();
                assertThat(new PublicKeyProof(modern ? "SHA1" : "SHA-256", answer.signature())
                                .verifies(pair.getPublic(), nonce, digest, false))
                        .isFalse();
                byte[] cut = Arrays.copyOf(answer.signature(), answer.signature().length - 1);
                assertThat(new PublicKeyProof(answer.digest(), cut).verifies(pair.getPublic(), nonce, digest, false))
                        .isFalse();
            }
        }
    }

    @Test
    void weakDigestsAreTakenOnlyIfThatIsSaid() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(1024);
        KeyPair pair = generator.generateKeyPair();
        java.security.Signature signature = java.security.Signature.getInstance("MD5withRSA");
        signature.initSign(pair.getPrivate());
        signature.update(new byte[] {1, 2});
        PublicKeyProof answer = new PublicKeyProof("MD5", signature.sign());
        assertThat(answer.verifies(pair.getPublic(), new byte[] {1}, new byte[] {2}, false)).isFalse();
        assertThat(answer.verifies(pair.getPublic(), new byte[] {1}, new byte[] {2}, true)).isTrue();
        assertThat(new PublicKeyProof("NONE", answer.signature())
                        .verifies(pair.getPublic(), new byte[] {1}, new byte[] {2}, true))
                .isFalse();
    }

    @Test
    void theProofOfAClientVerifies() throws Malformed {
        Asked asked = asked(MoreProofs.SECRET_CHALLENGE);
        SecretKeyProof answer = SecretKeyProof.read(answer(MoreProofs.SECRET_ANSWER));
        assertThat(answer.kind()).isEqualTo(Kind.PBKDF2);
        assertThat(answer.iterations()).isEqualTo(10_000);
        assertThat(answer.keyBits()).isEqualTo(160);
        assertThat(answer.write()).isEqualTo(answer(MoreProofs.SECRET_ANSWER));
        assertThat(answer.verifies(SECRET, asked.nonce, asked.digest, false)).isTrue();
        assertThat(answer.verifies(flipped(SECRET, 5), asked.nonce, asked.digest, false)).isFalse();
        assertThat(answer.verifies(SECRET, flipped(asked.nonce, 15), asked.digest, false)).isFalse();
        assertThat(answer.verifies(SECRET, asked.nonce, flipped(asked.digest, 0), false)).isFalse();
        assertThat(answer.verifies(new byte[0], asked.nonce, asked.digest, false)).isFalse();
    }

    @Test
    void proofsOfEachKindVerify() throws Malformed {
        SplittableRandom random = new SplittableRandom(55);
        byte[] nonce = new byte[16];
        byte[] digest = new byte[32];
        random.nextBytes(nonce);
        random.nextBytes(digest);
        byte[] binary = {0, -1, -128, 65};
        for (Kind kind : Kind.values()) {
            for (byte[] secret : new byte[][] {SECRET, binary}) {
                SecretKeyProof answer = SecretKeyProof.read(
                        SecretKeyProof.prove(kind, secret, nonce, digest, random).write());
                assertThat(answer.verifies(secret, nonce, digest, true)).as(kind.name()).isTrue();
                assertThat(answer.verifies(secret, nonce, digest, false)).isEqualTo(kind != Kind.MD5);
                assertThat(answer.verifies(flipped(secret, 0), nonce, digest, true)).isFalse();
                assertThat(answer.verifies(secret, flipped(nonce, 3), digest, true)).isFalse();
                for (int i = 0; i < answer.proof().length; i++) {
                    SecretKeyProof other = new SecretKeyProof(
                            kind, answer.salt(), Math.min(answer.iterations(), 1), answer.keyBits(), flipped(answer.proof(), i));
                    assertThat(other.verifies(secret, nonce, digest, true)).isFalse();
                }
            }
        }
        assertThatThrownBy(() -> SecretKeyProof.prove(Kind.SHA1, new byte[0], nonce, digest, random))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Digests and MACs of "secret", "nonce", "digest", by other means: Python's hashlib. */
    @Test
    void proofsAreWhatOtherProgramsMake() throws Malformed {
        byte[] nonce = "nonce".getBytes(StandardCharsets.UTF_8);
        byte[] digest = "digest".getBytes(StandardCharsets.UTF_8);
        for (String each : new String[] {
            "01d4307d20c86b097efb571a88b1c95ad0",
            "023214a65d632362b90ebcaf91ba206b355474eae7",
            "03080205187b541cc968953fefb5b3bfd365d43d01a5dceb4f1430c2ad72e9bd1d",
            "1225397ce64a15184dae1116c5eaaca19fc1cf4f60",
            "13381f5d3ab76de7c971d2c486c322eb1f59a257c6e63ae778f75f7356ed0c210d",
            "220000000873616c7473616c74000003e8000000a000000014c22de56b2fbd87717c4bf334ae047d6f8c2ffbea"
        }) {
            assertThat(SecretKeyProof.read(bytes(each)).verifies(SECRET, nonce, digest, true)).as(each).isTrue();
        }
    }

    /** The secret is two bytes that are no ASCII; the keys are those of the client library, and of Python's hashlib. */
    @Test
    void secretsThatAreNoAsciiAreTakenInBothWays() throws Malformed {
        byte[] secret = {(byte) 0xc3, (byte) 0xa4};
        byte[] nonce = "nonce".getBytes(StandardCharsets.UTF_8);
        byte[] digest = "digest".getBytes(StandardCharsets.UTF_8);
        for (String each : new String[] {
            "220000000873616c7473616c740000000a000000a000000014bc08ef4324dc4ad22e71a7c492b1bd21bda19412",
            "220000000873616c7473616c740000000a000000a000000014087c6e4aeafc0b7c31aa699c72a995cd0ba107bc"
        }) {
            assertThat(SecretKeyProof.read(bytes(each)).verifies(secret, nonce, digest, false)).as(each).isTrue();
            assertThat(SecretKeyProof.read(bytes(each)).verifies(SECRET, nonce, digest, false)).as(each).isFalse();
        }
    }

    @Test
    void keysAreDerivedAsTheJdkDoes() throws GeneralSecurityException {
        byte[] salt = {1, 2, 3, 4, 5, 6, 7, 8};
        for (int bits : new int[] {80, 160, 192, 320}) {
            byte[] theirs = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA1")
                    .generateSecret(new PBEKeySpec("secret".toCharArray(), salt, 7, bits))
                    .getEncoded();
            assertThat(Pbkdf2.derive(SECRET, salt, 7, bits / 8)).isEqualTo(theirs);
        }
    }

    @Test
    void answersThatAreNoneOrTooMuchWorkAreRefused() throws Malformed {
        String proof = HexFormat.of().formatHex(answer(MoreProofs.SECRET_ANSWER));
        for (String wrong : new String[] {
            "",
            "04",
            "22",
            "01" + "00".repeat(15),
            "01" + "00".repeat(17),
            proof + "00",
            proof.replace("00002710", "000186a1"),
            proof.replace("00002710", "00000000"),
            proof.replace("00002710", "ffffffff"),
            proof.replace("000000a0", "00000148"),
            proof.replace("000000a0", "00000048"),
            proof.replace("000000a0", "000000a1"),
            proof.replace("2200000010", "227fffffff")
        }) {
            assertThatThrownBy(() -> SecretKeyProof.read(bytes(wrong))).as(wrong).isInstanceOf(Malformed.class);
        }
        assertThatThrownBy(() -> PublicKeyProof.read(new byte[3])).isInstanceOf(Malformed.class);
    }
}
