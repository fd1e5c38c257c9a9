package io.guidepost.handle.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.HandleVectors;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageCredential;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.ProtocolVersion;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Sessions: keys agreed on, MACs and ciphertexts of existing servers, signatures of servers, and what is refused. */
class SessionKeyTest {
    private static final SessionKey KEY = new SessionKey(bytes(HandleVectors.SESSION_KEY), SessionCipher.AES);

    /** What the client library makes of a request to delete 1234/1 with counter 9, keyed with LIBRARY_KEY. */
    private static final byte[] LIBRARY_KEY = "0123456789abcdef0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.UTF_8);

    private static final String LIBRARY_REQUEST = "000000650000000019000000ffff00007fffffff0000000a00000006313233342f31";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static HandleMessage without(HandleMessage message) {
        return HandleMessage.of(message.envelope(), message.header(), message.body());
    }

    @Test
    void theMacOfAClientVerifiesAndIsMade() throws Malformed {
        byte[] received = bytes(HandleVectors.M_CREATE);
        HandleMessage message = HandleMessage.read(received);
        assertThat(KEY.verifies(received, message)).isTrue();
        assertThat(hex(KEY.seal(without(message), 5).write())).isEqualTo(HandleVectors.M_CREATE);
        for (int at : new int[] {0, 1, 2, 3, 7, 8, 23, 27, 31, 32, 39, 60, 150}) {
            byte[] changed = received.clone();
            changed[at] ^= 1;
            HandleMessage same = new HandleMessage(
                    at < 2 ? HandleMessage.read(received).envelope() : message.envelope(),
                    message.header(),
                    message.requestDigest(),
                    message.body(),
                    message.credential());
            assertThat(KEY.verifies(changed, same)).as("byte " + at).isFalse();
        }
        assertThat(KEY.verifies(received, without(message))).isFalse();
        MessageCredential proof = message.credential().orElseThrow();
        for (MessageCredential other : new MessageCredential[] {
            new MessageCredential(Handle.NONE, 6, proof.type(), proof.digest(), proof.signature()),
            new MessageCredential(Handle.NONE, 5, "HS_SIGNED", proof.digest(), proof.signature()),
            new MessageCredential(Handle.NONE, 5, proof.type(), "HMAC-SHA1", proof.signature()),
            new MessageCredential(Handle.NONE, 5, proof.type(), proof.digest(), Arrays.copyOf(proof.signature(), 31)),
            new MessageCredential(Handle.NONE, 5, proof.type(), proof.digest(), new byte[0])
        }) {
            assertThat(KEY.verifies(received, message.with(other))).isFalse();
        }
        assertThat(new SessionKey(new byte[32], SessionCipher.AES).verifies(received, message)).isFalse();
    }

    @Test
    void marksAndLengthAreNotCovered() throws Malformed {
        byte[] received = bytes(HandleVectors.M_CREATE);
        byte[] marked = received.clone();
        marked[2] |= 0x60;
        marked[19] ^= 1;
        assertThat(KEY.verifies(marked, HandleMessage.read(received))).isTrue();
    }

    @Test
    void macsAreThoseOfTheClientLibraryInEachVersion() throws Malformed {
        SessionKey key = new SessionKey(LIBRARY_KEY, SessionCipher.AES);
        String[][] macs = {
            {"1", "\u0002", "05620d9517e6c63b05c7825d1655b2c789d8a314"},
            {"4", "\u0002", "05620d9517e6c63b05c7825d1655b2c789d8a314"},
            {"7", "HMAC-SHA256", "8817e949638a7f995f91795d9307083ee172021c7a30f7ac1318f5b854100e06"},
            {"8", "HMAC-SHA256", "5601453134b1dfcc9babf4be0154fc2a8150dd76152fcdbc4ea411f1b43f237b"},
            {"11", "HMAC-SHA256", "04ede3fbb30d9922c75d0b30ddd56e05e64cac72d00807e7ac97357f741411b2"}
        };
        for (String[] each : macs) {
            int minor = Integer.parseInt(each[0]);
            byte[] received = bytes(String.format("02%02x020b00000005010203040000000000000026", minor)
                    + LIBRARY_REQUEST + "00000000");
            HandleMessage sealed = key.seal(HandleMessage.read(received), 9);
            MessageCredential credential = sealed.credential().orElseThrow();
            assertThat(credential.digest()).isEqualTo(each[1]);
            assertThat(hex(credential.signature())).as("2." + minor).isEqualTo(each[2]);
            assertThat(key.verifies(sealed.write(), HandleMessage.read(sealed.write()))).isTrue();
        }
        HandleMessage between = HandleMessage.read(bytes("0206020b00000005010203040000000000000026" + LIBRARY_REQUEST + "00000000"));
        assertThatThrownBy(() -> key.seal(between, 9)).isInstanceOf(IllegalArgumentException.class);
        assertThat(key.verifies(between.write(), between.with(new MessageCredential(
                        Handle.NONE, 9, MessageCredential.MAC, "\u0002", new byte[20]))))
                .isFalse();
    }

    @Test
    void anEncryptedRequestIsReadAndMade() throws Malformed {
        byte[] clear = KEY.decrypt(bytes(HandleVectors.E_RESOLVE));
        assertThat(hex(clear)).endsWith(HandleVectors.M_PLAIN);
        HandleMessage message = HandleMessage.read(clear);
        assertThat(message.body()).isInstanceOf(MessageBody.Resolve.class);
        assertThat(KEY.verifies(clear, message)).isTrue();
        byte[] iv = Arrays.copyOfRange(bytes(HandleVectors.E_RESOLVE), 20, 36);
        assertThat(hex(KEY.encrypt(clear, iv))).isEqualTo(HandleVectors.E_RESOLVE);
        assertThatThrownBy(() -> new SessionKey(new byte[32], SessionCipher.AES).decrypt(bytes(HandleVectors.E_RESOLVE)))
                .isInstanceOf(Malformed.class);
        assertThatThrownBy(() -> KEY.decrypt(clear)).isInstanceOf(Malformed.class);
        assertThatThrownBy(() -> KEY.decrypt(Arrays.copyOf(bytes(HandleVectors.E_RESOLVE), 150))).isInstanceOf(Malformed.class);
    }

    @Test
    void eachCipherDecryptsWhatItEncrypted() throws Malformed {
        SplittableRandom random = new SplittableRandom(56);
        for (SessionCipher cipher : SessionCipher.values()) {
            SessionKey key = new SessionKey(LIBRARY_KEY, cipher);
            for (int minor : new int[] {3, 4, 11}) {
                HandleEnvelope envelope = new HandleEnvelope(
                        new ProtocolVersion(2, minor), ProtocolVersion.CURRENT, false, false, false, 7, 8, 0, 0);
                byte[] clear = HandleMessage.of(envelope, MessageHeader.request(HandleOperation.DELETE, 0),
                        new MessageBody.Named(Handle.of("a/b")))
                        .write();
                byte[] sealed = key.encrypt(clear, random);
                assertThat(hex(sealed)).doesNotContain("00000003612f62");
                assertThat(key.decrypt(sealed)).isEqualTo(clear);
                assertThat(hex(key.encrypt(clear, random)).equals(hex(sealed))).isEqualTo(minor == 3);
            }
        }
        assertThatThrownBy(() -> new SessionKey(new byte[15], SessionCipher.AES))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theSignatureOfAServerVerifies() throws Malformed {
        PublicKey key = PublicKeyRecord.read(bytes(MoreProofs.SERVER_KEY)).key();
        for (String each : new String[] {MoreProofs.SIGNED, MoreProofs.SETUP}) {
            byte[] received = bytes(each);
            HandleMessage message = HandleMessage.read(received);
            assertThat(MessageSignature.verifies(received, message, key, false)).isTrue();
            byte[] changed = received.clone();
            changed[50] ^= 1;
            assertThat(MessageSignature.verifies(changed, message, key, false)).isFalse();
            assertThat(MessageSignature.verifies(received, without(message), key, false)).isFalse();
            PublicKey other = PublicKeyRecord.read(bytes(MoreProofs.ADMIN_KEY)).key();
            assertThat(MessageSignature.verifies(received, message, other, false)).isFalse();
        }
    }

    @Test
    void oursVerify() throws GeneralSecurityException, Malformed {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(1024);
        KeyPair pair = generator.generateKeyPair();
        for (int minor : new int[] {1, 7, 11}) {
            HandleEnvelope envelope = new HandleEnvelope(
                    new ProtocolVersion(2, minor), ProtocolVersion.CURRENT, false, false, false, 7, 8, 0, 0);
            HandleMessage message =
                    HandleMessage.of(envelope, MessageHeader.request(HandleOperation.DELETE, 0), new MessageBody.Named(Handle.of("a/b")));
            byte[] signed = MessageSignature.sign(message, pair.getPrivate(), 3).write();
            assertThat(MessageSignature.verifies(signed, HandleMessage.read(signed), pair.getPublic(), false)).isTrue();
        }
        HandleEnvelope between = new HandleEnvelope(
                new ProtocolVersion(2, 5), ProtocolVersion.CURRENT, false, false, false, 7, 8, 0, 0);
        HandleMessage message = HandleMessage.of(between, MessageHeader.request(HandleOperation.DELETE, 0), new MessageBody.Empty());
        assertThatThrownBy(() -> MessageSignature.sign(message, pair.getPrivate(), 3)).hasMessageContaining("2.5");
    }

    @Test
    void theSetupOfAServerIsReadAndWritten() throws Malformed {
        MessageBody.SetupReply reply = (MessageBody.SetupReply) HandleMessage.read(bytes(MoreProofs.SETUP)).body();
        DiffieHellman.Reply offer = DiffieHellman.Reply.read(reply.data());
        assertThat(offer.cipher()).isEqualTo(SessionCipher.AES);
        assertThat(offer.publicKey().g()).isEqualTo(BigInteger.TWO);
        assertThat(offer.publicKey().p().bitLength()).isEqualTo(1024);
        assertThat(offer.write()).isEqualTo(reply.data());
        byte[] rsa = HexFormat.of().parseHex("00000003" + MoreProofs.SERVER_KEY);
        assertThatThrownBy(() -> DiffieHellman.Reply.read(rsa)).hasMessageContaining("DH_PUB_KEY");
        byte[] unknown = reply.data().clone();
        unknown[3] = 4;
        assertThatThrownBy(() -> DiffieHellman.Reply.read(unknown)).hasMessageContaining("cipher");
    }

    @Test
    void bothSidesAgreeOnAKey() throws GeneralSecurityException, Malformed {
        SecureRandom random = new SecureRandom();
        KeyPair client = DiffieHellman.clientKeys(random);
        PublicKeyRecord.Dh clientKey = (PublicKeyRecord.Dh) PublicKeyRecord.of(client.getPublic());
        KeyPair server = DiffieHellman.serverKeys(clientKey, false, random);
        PublicKeyRecord.Dh serverKey = (PublicKeyRecord.Dh) PublicKeyRecord.of(server.getPublic());
        byte[] secret = DiffieHellman.secret(server.getPrivate(), clientKey);
        assertThat(DiffieHellman.secret(client.getPrivate(), serverKey)).isEqualTo(secret).hasSize(32);
        assertThat(secret[0]).isNotZero();
        HandleMessage message = HandleMessage.of(HandleEnvelope.of(7, 8), MessageHeader
                .request(HandleOperation.DELETE, 0), new MessageBody.Empty());
        for (SessionCipher cipher : SessionCipher.values()) {
            SessionKey ours = DiffieHellman.agree(server.getPrivate(), clientKey, cipher);
            SessionKey theirs = DiffieHellman.agree(client.getPrivate(), serverKey, cipher);
            byte[] sealed = ours.seal(message, 1).write();
            assertThat(theirs.verifies(sealed, HandleMessage.read(sealed))).isTrue();
            assertThat(theirs.decrypt(ours.encrypt(sealed, random))).isEqualTo(sealed);
            // With the parity of its bytes set the key of an old cipher is another, though it decrypts the same.
            boolean parity = cipher != SessionCipher.AES;
            SessionKey raw = new SessionKey(Arrays.copyOf(secret, cipher.keyBytes() == 16 ? 32 : cipher.keyBytes()), cipher);
            assertThat(raw.decrypt(ours.encrypt(sealed, random))).isEqualTo(sealed);
            assertThat(raw.verifies(sealed, HandleMessage.read(sealed))).isEqualTo(!parity || hasParity(secret, cipher));
        }
    }

    private static boolean hasParity(byte[] secret, SessionCipher cipher) {
        for (int i = 0; i < cipher.keyBytes(); i++) {
            if (Integer.bitCount(secret[i] & 0xff) % 2 == 0) {
                return false;
            }
        }
        return true;
    }

    @Test
    void groupsThatAnyoneBreaksAreRefused() throws GeneralSecurityException {
        SecureRandom random = new SecureRandom();
        KeyPair client = DiffieHellman.clientKeys(random);
        PublicKeyRecord.Dh good = (PublicKeyRecord.Dh) PublicKeyRecord.of(client.getPublic());
        BigInteger one = BigInteger.ONE;
        for (PublicKeyRecord.Dh bad : new PublicKeyRecord.Dh[] {
            new PublicKeyRecord.Dh(one, good.p(), good.g()),
            new PublicKeyRecord.Dh(good.p().subtract(one), good.p(), good.g()),
            new PublicKeyRecord.Dh(good.y(), good.p(), one),
            new PublicKeyRecord.Dh(good.y(), good.p(), good.p().subtract(one)),
            new PublicKeyRecord.Dh(good.y(), good.p().add(one), good.g()),
            new PublicKeyRecord.Dh(good.y(), one.shiftLeft(1022).add(one), good.g()),
            new PublicKeyRecord.Dh(good.y(), one.shiftLeft(8191).add(one), good.g())
        }) {
            assertThatThrownBy(() -> DiffieHellman.serverKeys(bad, false, random)).isInstanceOf(Malformed.class);
        }
    }

    @Test
    void smallGroupsAreTakenOnlyIfThatIsSaid() throws GeneralSecurityException, Malformed {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("DH");
        generator.initialize(512);
        PublicKeyRecord.Dh small = (PublicKeyRecord.Dh) PublicKeyRecord.of(generator.generateKeyPair().getPublic());
        SecureRandom random = new SecureRandom();
        assertThatThrownBy(() -> DiffieHellman.serverKeys(small, false, random)).isInstanceOf(Malformed.class);
        assertThat(DiffieHellman.serverKeys(small, true, random)).isNotNull();
    }

    @Test
    void aKeyTravelsUnderAnother() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(1024);
        KeyPair pair = generator.generateKeyPair();
        SplittableRandom random = new SplittableRandom(57);
        byte[] encrypted = RsaKeyTransport.encrypt(LIBRARY_KEY, pair.getPublic());
        assertThat(RsaKeyTransport.decrypt(encrypted, pair.getPrivate(), random)).isEqualTo(LIBRARY_KEY);
        byte[] broken = encrypted.clone();
        broken[40] ^= 1;
        byte[] substitute = RsaKeyTransport.decrypt(broken, pair.getPrivate(), random);
        assertThat(substitute).hasSize(32).isNotEqualTo(LIBRARY_KEY);
        assertThat(RsaKeyTransport.decrypt(broken, pair.getPrivate(), random)).isNotEqualTo(substitute);
        byte[] tooShort = RsaKeyTransport.encrypt(new byte[15], pair.getPublic());
        assertThat(RsaKeyTransport.decrypt(tooShort, pair.getPrivate(), random)).hasSize(32);
        assertThat(RsaKeyTransport.decrypt(new byte[5], pair.getPrivate(), random)).hasSize(32);
    }
}
