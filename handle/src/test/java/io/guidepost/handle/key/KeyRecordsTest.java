package io.guidepost.handle.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys: golden records and files of the client library, keys of the JDK and back, and what is refused. */
class KeyRecordsTest {
    private static final String N = "8bd889c1fc4e5e40ec54e0c5075528ccb08e843316d1cab94d67061944de1cd65df1e9b9c2fa02281336a69b"
            + "3dbaf737325435b9f8524e9a55e7e7b8078ad001";
    private static final String D = "38991ec7dff167bc26ea033e3ac58089b73b36cde68269e5ad29f111f10963e9d3993147068a605cbcd2ddd7"
            + "0c19508fd032ddcb9b6a71e0c37c642b7aea5a71";
    private static final String RSA_PUBLIC =
            "0000000b5253415f5055425f4b45590000" + "00000003010001" + "0000004100" + N + "00000000";
    private static final String RSA_PRIVATE = "0000000f5253415f505249564352545f4b4559" + "0000004100" + N
            + "00000003010001" + "00000040" + D
            + "0000002100a29d954dfae6a42fc4e491e893d2e4792ca618d6583757251ccf6cd734e659cf"
            + "0000002100dc2789a8479e3ed2b1147a4ab7568f0b61e2a319a9b2d5112e28a8d23d063d2f"
            + "000000205fb20a960c4bc45d542a0a6f6ae6958b75a9fd3dce462ae36d33e7e231804963"
            + "0000002033a88b62933b8c9e3fb300671bd211caa7f35836235db5254ce1798bab8a153d"
            + "0000002016c07b123f3fec26d0977ccd616ea118880fe1a137fa54898e8584948e2ddbab";
    private static final String RSA_PRIVATE_PLAIN =
            "0000000c5253415f505249565f4b4559" + "0000004100" + N + "00000040" + D;
    private static final String DSA_PRIVATE = "0000000c4453415f505249565f4b4559"
            + "000000147f1544da95f820b192c7e66dc508582f0ed989d4"
            + "0000008100fd7f53811d75122952df4a9c2eece4e7f611b7523cef4400c31e3f80b6512669455d402251fb593d8d58fabfc5f5ba"
            + "30f6cb9b556cd7813b801d346ff26660b76b9950a5a49f9fe8047b1022c24fbba9d7feb7c61bf83b57e7c6a8a6150f04fb83f6d3"
            + "c51ec3023554135a169132f675f3ae2b61d72aeff22203199dd14801c7"
            + "00000015009760508f15230bccb292b982a2eb840bf0581cf5"
            + "0000008100f7e1a085d69b3ddecbbcab5c36b857b97994afbbfa3aea82f9574c0b3d0782675159578ebad4594fe67107108180b4"
            + "49167123e84c281613b7cf09328cc8a6e13c167a8b547c8d28e0a3ae1e2bb3a675916ea37f0bfa213562f1fb627a01243bcca4f1"
            + "bea8519089a883dfe15ae59f06928b665e807b552564014c3bfecf492a";
    private static final String DH_PUBLIC = "0000000a44485f5055425f4b45590000"
            + "0000004055da9d8bcfd0f5d1989e23280d755d26b1dcc7899399253725739ebc6a20f5272408deafbfa6e925e6a19128ef7f4683"
            + "980c9db771f35be466ba92207e46e306"
            + "0000004100ffffffffffffffff8b479b3a6e8de86c294188f0bf2cd86cdb950adb36d0f61fd51e46f69c99ed95abe5a7bbb230a6"
            + "ed1d0b4506b5317284ffffffffffffffff"
            + "0000000102";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static KeyPair pair(String algorithm, int bits) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(bits);
        return generator.generateKeyPair();
    }

    @Test
    void goldenRecordsAreReadAndWritten() throws Malformed {
        PublicKeyRecord rsa = PublicKeyRecord.read(bytes(RSA_PUBLIC));
        assertThat(rsa).isEqualTo(new PublicKeyRecord.Rsa(BigInteger.valueOf(65537), new BigInteger(N, 16)));
        assertThat(hex(rsa.write())).isEqualTo(RSA_PUBLIC);
        assertThat(PublicKeyRecord.read(bytes(RSA_PUBLIC.substring(0, RSA_PUBLIC.length() - 8)))).isEqualTo(rsa);
        assertThat(PublicKeyRecord.read(bytes(RSA_PUBLIC.replace("0000004100" + N, "00000040" + N)))).isEqualTo(rsa);
        assertThat(hex(PublicKeyRecord.read(bytes(DH_PUBLIC)).write())).isEqualTo(DH_PUBLIC);
        for (String each : List.of(RSA_PRIVATE, RSA_PRIVATE_PLAIN, DSA_PRIVATE)) {
            PrivateKeyRecord key = PrivateKeyRecord.read(bytes(each));
            assertThat(hex(key.write())).isEqualTo(each);
            assertThat(hex(PrivateKeyRecord.of(key.key()).write())).isEqualTo(each);
            assertThat(key.toString()).hasSizeLessThan(16);
        }
        assertThat(PrivateKeyRecord.read(bytes(RSA_PRIVATE_PLAIN)).publicKey()).isEmpty();
    }

    @Test
    void keysOfTheJdkBecomeRecordsAndBack() throws GeneralSecurityException, Malformed {
        for (String algorithm : List.of("RSA", "DSA", "DH")) {
            KeyPair pair = pair(algorithm, 1024);
            PublicKeyRecord record = PublicKeyRecord.of(pair.getPublic());
            assertThat(PublicKeyRecord.read(record.write())).isEqualTo(record);
            assertThat(PublicKeyRecord.read(record.write()).key()).isEqualTo(pair.getPublic());
        }
        for (String algorithm : List.of("RSA", "DSA")) {
            KeyPair pair = pair(algorithm, 1024);
            PrivateKeyRecord record = PrivateKeyRecord.of(pair.getPrivate());
            assertThat(record.publicKey()).contains(PublicKeyRecord.of(pair.getPublic()));
            Signature signature = Signature.getInstance("SHA256with" + algorithm);
            signature.initSign(PrivateKeyRecord.read(record.write()).key());
            signature.update(new byte[] {1, 2, 3});
            byte[] signed = signature.sign();
            signature.initVerify(pair.getPublic());
            signature.update(new byte[] {1, 2, 3});
            assertThat(signature.verify(signed)).isTrue();
        }
        KeyPair other = pair("EC", 256);
        assertThatThrownBy(() -> PublicKeyRecord.of(other.getPublic())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PrivateKeyRecord.of(other.getPrivate())).isInstanceOf(IllegalArgumentException.class);
        KeyPair exchange = pair("DH", 1024);
        assertThatThrownBy(() -> PrivateKeyRecord.of(exchange.getPrivate()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsNoKeyIsRefused() {
        for (String wrong : List.of(
                RSA_PUBLIC + "00",
                RSA_PUBLIC.replace("0b5253415f50", "0b5253425f50"),
                RSA_PUBLIC.replace("00000003010001", "00000003000000"),
                RSA_PUBLIC.substring(0, RSA_PUBLIC.length() - 8) + "00000001",
                DH_PUBLIC + "00000000")) {
            assertThatThrownBy(() -> PublicKeyRecord.read(bytes(wrong))).as(wrong).isInstanceOf(Malformed.class);
        }
        assertThatThrownBy(() -> PrivateKeyRecord.read(bytes(RSA_PUBLIC))).hasMessageContaining("RSA_PUB_KEY");
        assertThatThrownBy(() -> PrivateKeyRecord.read(bytes(DSA_PRIVATE + "00"))).isInstanceOf(Malformed.class);
        byte[] huge = Arrays.copyOf(bytes("0000000b5253415f5055425f4b4559000000000802"), 17 + 4 + 0x802);
        assertThatThrownBy(() -> PublicKeyRecord.read(huge)).hasMessageContaining("at most 2049");
        // The JDK knows that an RSA modulus of 16 bits is none.
        PublicKeyRecord tiny = new PublicKeyRecord.Rsa(BigInteger.valueOf(3), BigInteger.valueOf(40_001));
        assertThatThrownBy(tiny::key).isInstanceOf(Malformed.class);
    }

    /** Files that the client library wrote with the passphrase "passphrase" for a text that is no key. */
    @Test
    void filesOfEachKindAreOpened() throws Malformed, PrivateKeyFile.WrongPassphrase {
        PrivateKeyRecord key = PrivateKeyRecord.read(bytes(RSA_PRIVATE));
        char[] passphrase = "passphrase".toCharArray();
        for (String each : List.of(LibraryFiles.DES_ECB, LibraryFiles.DES_CBC, LibraryFiles.DESEDE, LibraryFiles.AES)) {
            byte[] file = bytes(each);
            boolean weak = PrivateKeyFile.encryption(file).weak();
            assertThat(PrivateKeyFile.read(file, passphrase, true)).isEqualTo(key);
            assertThatThrownBy(() -> PrivateKeyFile.read(file, "passphrasf".toCharArray(), true))
                    .isInstanceOf(PrivateKeyFile.WrongPassphrase.class);
            assertThatThrownBy(() -> PrivateKeyFile.read(file, null, true)).isInstanceOf(PrivateKeyFile.WrongPassphrase.class);
            if (weak) {
                assertThatThrownBy(() -> PrivateKeyFile.read(file, passphrase, false))
                        .isInstanceOf(Malformed.class)
                        .hasMessageContaining("DES");
            } else {
                assertThat(PrivateKeyFile.read(file, passphrase, false)).isEqualTo(key);
            }
        }
        assertThat(PrivateKeyFile.read(bytes("00000001" + RSA_PRIVATE), null, false)).isEqualTo(key);
        assertThat(hex(PrivateKeyFile.write(key))).isEqualTo("00000001" + RSA_PRIVATE);
    }

    @Test
    void aFileUnderAPassphraseIsReadAgain() throws Malformed, PrivateKeyFile.WrongPassphrase {
        PrivateKeyRecord key = PrivateKeyRecord.read(bytes(DSA_PRIVATE));
        char[] passphrase = "ein Satz, der läuft".toCharArray();
        byte[] file = PrivateKeyFile.write(key, passphrase, new SecureRandom());
        assertThat(PrivateKeyFile.encryption(file)).isEqualTo(PrivateKeyFile.Encryption.AES);
        assertThat(PrivateKeyFile.read(file, passphrase, false)).isEqualTo(key);
        assertThat(new String(file, StandardCharsets.ISO_8859_1)).doesNotContain("DSA_PRIV_KEY");
        assertThat(PrivateKeyFile.write(key, passphrase, new SecureRandom())).isNotEqualTo(file);
    }

    private static byte[] file(int kind, int saltBytes, int keyBits, int ivBytes) {
        return new WireWriter()
                .u32(kind)
                .bytes(new byte[saltBytes])
                .u32(1)
                .u32(keyBits)
                .bytes(new byte[ivBytes])
                .bytes(new byte[32])
                .toBytes();
    }

    @Test
    void lengthsOfAFileUnderAPassphraseFitItsCipher() {
        char[] passphrase = "x".toCharArray();
        for (int keyBits : new int[] {128, 192, 256}) {
            assertThatThrownBy(() -> PrivateKeyFile.read(file(4, 16, keyBits, 16), passphrase, true))
                    .as("read as far as the ciphertext")
                    .isInstanceOf(PrivateKeyFile.WrongPassphrase.class);
        }
        for (byte[] wrong : List.of(
                file(4, 0, 128, 16), file(4, 16, 128, 8), file(4, 16, 160, 16), file(3, 0, 192, 8), file(3, 16, 256, 8),
                file(3, 16, 192, 4))) {
            assertThatThrownBy(() -> PrivateKeyFile.read(wrong, passphrase, true))
                    .isInstanceOf(Malformed.class)
                    .hasMessageContaining("do not fit");
        }
    }

    @Test
    void aFileThatIsNoneIsRefused() {
        char[] passphrase = "x".toCharArray();
        for (String wrong : List.of(
                "00000005",
                "ffffffff",
                "000000",
                "00000001",
                LibraryFiles.AES.replace("00002710", "7fffffff"),
                LibraryFiles.AES.replace("00002710", "00000000"),
                LibraryFiles.AES.replace("0000271000000080", "0000271000000081"),
                LibraryFiles.DESEDE.replace("00002710000000c0", "0000271000000080"),
                LibraryFiles.AES + "00",
                LibraryFiles.AES.substring(0, 40))) {
            assertThatThrownBy(() -> PrivateKeyFile.read(bytes(wrong), passphrase, true))
                    .as(wrong)
                    .isInstanceOf(Malformed.class);
        }
    }
}
