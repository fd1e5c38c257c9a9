package io.guidepost.handle.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.authentication.MessageSignature;
import io.guidepost.handle.authentication.PublicKeyProof;
import io.guidepost.handle.authentication.SecretKeyProof;
import io.guidepost.handle.authentication.SessionCipher;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.key.PrivateKeyFile;
import io.guidepost.handle.key.PrivateKeyRecord;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.message.ResponseBuilder;
import io.guidepost.handle.message.ResponseCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.handle.hdllib.AbstractMessage;
import net.handle.hdllib.AddValueRequest;
import net.handle.hdllib.ChallengeResponse;
import net.handle.hdllib.CreateHandleRequest;
import net.handle.hdllib.DeleteHandleRequest;
import net.handle.hdllib.DumpHandlesRequest;
import net.handle.hdllib.Encoder;
import net.handle.hdllib.ErrorResponse;
import net.handle.hdllib.HomeNaRequest;
import net.handle.hdllib.ListHandlesRequest;
import net.handle.hdllib.MessageEnvelope;
import net.handle.hdllib.ModifyValueRequest;
import net.handle.hdllib.PublicKeyAuthenticationInfo;
import net.handle.hdllib.RemoveValueRequest;
import net.handle.hdllib.ResolutionRequest;
import net.handle.hdllib.RetrieveTxnRequest;
import net.handle.hdllib.SecretKeyAuthenticationInfo;
import net.handle.hdllib.ServerInfo;
import net.handle.hdllib.SessionExchangeKeyRequest;
import net.handle.hdllib.SessionInfo;
import net.handle.hdllib.SessionSetupRequest;
import net.handle.hdllib.SiteInfo;
import net.handle.hdllib.Util;
import net.handle.hdllib.VerifyAuthRequest;
import org.junit.jupiter.api.Test;

/**
 * Our codec against the client library of the Handle system, which is here for tests alone: what it writes we read and
 * write the same, what we write it reads and writes the same, and each takes the other's proofs.
 */
class ClientLibraryTest {
    private static final int TRIES = 300;

    /** Generated messages in each direction. */
    private static final int MESSAGES = 10_000;

    private final SplittableRandom random = new SplittableRandom(59);

    private static <M extends AbstractMessage> M of(M message, int minor) {
        message.majorProtocolVersion = 2;
        message.minorProtocolVersion = (byte) minor;
        message.suggestMajorProtocolVersion = 2;
        message.suggestMinorProtocolVersion = 11;
        message.requestId = 0x01020304;
        message.sessionId = 5;
        return message;
    }

    /** The message with its envelope, as the library sends it. */
    private static byte[] sent(AbstractMessage message) throws Exception {
        byte[] rest = message.getEncodedMessage();
        MessageEnvelope envelope = new MessageEnvelope();
        envelope.protocolMajorVersion = message.majorProtocolVersion;
        envelope.protocolMinorVersion = message.minorProtocolVersion;
        envelope.suggestMajorProtocolVersion = message.suggestMajorProtocolVersion;
        envelope.suggestMinorProtocolVersion = message.suggestMinorProtocolVersion;
        envelope.requestId = message.requestId;
        envelope.sessionId = message.sessionId;
        envelope.messageLength = rest.length;
        byte[] whole = new byte[20 + rest.length];
        Encoder.encodeEnvelope(envelope, whole);
        System.arraycopy(rest, 0, whole, 20, rest.length);
        return whole;
    }

    /** What the library makes of the bytes of a message when it has read them. */
    private static AbstractMessage read(byte[] message) throws Exception {
        MessageEnvelope envelope = new MessageEnvelope();
        Encoder.decodeEnvelope(message, envelope);
        AbstractMessage read = Encoder.decodeMessage(message, 20, envelope);
        read.requestId = envelope.requestId;
        read.sessionId = envelope.sessionId;
        return read;
    }

    private byte[] bytes(int bytesMax) {
        return RandomValues.bytes(random, bytesMax);
    }

    private byte[] handle() {
        return RandomValues.handle(random).bytes();
    }

    /** A value whose parts the library keeps: it has two kinds of TTL and four bits of permissions. */
    private HandleValue value() {
        HandleValue any = RandomValues.value(random);
        return new HandleValue(
                any.index(),
                any.type(),
                any.data(),
                new Permissions(any.permissions().bits() & 0xf),
                any.ttl(),
                any.changedSeconds(),
                any.references());
    }

    private List<HandleValue> values() {
        return RandomValues.list(random, 4, _ -> value());
    }

    private static net.handle.hdllib.HandleValue[] theirs(List<HandleValue> values) throws Exception {
        net.handle.hdllib.HandleValue[] theirs = new net.handle.hdllib.HandleValue[values.size()];
        for (int i = 0; i < theirs.length; i++) {
            theirs[i] = new net.handle.hdllib.HandleValue();
            Encoder.decodeHandleValue(values.get(i).write(), 0, theirs[i]);
        }
        return theirs;
    }

    private AbstractMessage request() throws Exception {
        byte hash = (byte) random.nextInt(3);
        SessionSetupRequest setup = new SessionSetupRequest();
        setup.keyExchangeMode = 1 + random.nextInt(4);
        setup.identityHandle = handle();
        setup.identityIndex = random.nextInt();
        setup.publicKey = bytes(30);
        setup.exchangeKeyHandle = handle();
        setup.exchangeKeyIndex = random.nextInt();
        int minor = new int[] {1, 4, 8, 9, 11}[random.nextInt(5)];
        AbstractMessage request = switch (random.nextInt(13)) {
            case 0 ->
                new ResolutionRequest(
                        handle(), new byte[][] {{'U', 'R', 'L'}, {}}, random.ints(3).toArray(), null);
            case 1 -> new CreateHandleRequest(handle(), theirs(values()), null);
            case 2 -> new AddValueRequest(handle(), theirs(values()), null);
            case 3 -> new ModifyValueRequest(handle(), theirs(values()), null);
            case 4 -> new RemoveValueRequest(handle(), random.ints(2).toArray(), null);
            case 5 -> new DeleteHandleRequest(handle(), null);
            case 6 -> new ListHandlesRequest(handle(), null);
            case 7 -> new HomeNaRequest(handle(), null);
            case 8 -> setup;
            case 9 -> new SessionExchangeKeyRequest(bytes(40));
            case 10 -> new VerifyAuthRequest(handle(), bytes(16), bytes(32), (byte) 3, bytes(40), 7, null);
            case 11 -> new RetrieveTxnRequest(random.nextLong(), random.nextLong(), hash, random.nextInt(), 2, null);
            default ->
                random.nextBoolean()
                        ? new DumpHandlesRequest(hash, 3, 1, null)
                        : new DumpHandlesRequest(hash, 3, 1, null, "1/2".getBytes(StandardCharsets.UTF_8), 1);
        };
        request.mintNewSuffix = random.nextBoolean();
        request.certify = random.nextBoolean();
        request.siteInfoSerial = random.nextInt(65536);
        return of(request, minor);
    }

    @Test
    void whatTheLibraryWritesIsReadAndWrittenTheSame() throws Exception {
        for (int i = 0; i < MESSAGES; i++) {
            byte[] theirs = sent(request());
            assertThat(HandleMessage.read(theirs).write()).isEqualTo(theirs);
        }
    }

    @Test
    void whatIsWrittenTheLibraryReadsAndWritesTheSame() throws Exception {
        for (int written = 0; written < MESSAGES; ) {
            Handle handle = RandomValues.handle(random);
            for (HandleMessage each : List.of(
                    request(HandleOperation.RESOLVE, new MessageBody.Resolve(
                            handle, RandomValues.list(random, 3, SplittableRandom::nextInt), List.of("URL", "HS_SITE."))),
                    request(HandleOperation.CREATE, new MessageBody.Values(handle, values())),
                    request(HandleOperation.REMOVE_VALUES, new MessageBody.Indexes(
                            handle, RandomValues.list(random, 3, SplittableRandom::nextInt))),
                    request(HandleOperation.DELETE, new MessageBody.Named(handle)),
                    reply(HandleOperation.RESOLVE, new MessageBody.Values(handle, values())),
                    reply(HandleOperation.CREATE, new MessageBody.Named(handle)),
                    reply(HandleOperation.LIST_HANDLES, new MessageBody.Handles(
                            RandomValues.list(random, 5, RandomValues::handle))),
                    reply(HandleOperation.GET_SITE, new MessageBody.Site(RandomValues.site(random))))) {
                byte[] ours = each.write();
                AbstractMessage read = read(ours);
                read.clearBuffers();
                byte[] theirs = of(read, 11).getEncodedMessage();
                assertThat(theirs).as(each.body().toString()).isEqualTo(Arrays.copyOfRange(ours, 20, ours.length));
                written++;
            }
        }
    }

    private static HandleMessage request(HandleOperation operation, MessageBody body) {
        return HandleMessage.of(HandleEnvelope.of(5, 0x01020304), MessageHeader.request(operation, 0x7fffffff, OpFlag.PUBL), body);
    }

    private static HandleMessage reply(HandleOperation operation, MessageBody body) {
        MessageHeader header = new MessageHeader(
                operation.number(), ResponseCode.SUCCESS.number(), OpFlag.RECU.bit(), 1, 0, 0x7fffffff);
        return HandleMessage.of(HandleEnvelope.of(5, 0x01020304), header, body);
    }

    @Test
    void recordsAreTheSameForBoth() throws Exception {
        for (int i = 0; i < TRIES; i++) {
            HandleValue value = value();
            net.handle.hdllib.HandleValue theirs = theirs(List.of(value))[0];
            assertThat(Encoder.encodeHandleValue(theirs)).isEqualTo(value.write());
            SiteRecord site = RandomValues.site(random);
            assertThat(Encoder.encodeSiteInfoRecord(Encoder.decodeSiteInfoRecord(site.write(), 0)))
                    .isEqualTo(site.write());
            AdminRecord admin = new AdminRecord(random.nextInt(0x1000), RandomValues.reference(random));
            assertThat(Encoder.encodeAdminRecord(Encoder.decodeAdminRecord(admin.write(), 0)))
                    .isEqualTo(admin.write());
            IdentityList group = new IdentityList(RandomValues.list(random, 4, RandomValues::reference));
            assertThat(Encoder.encodeValueReferenceList(Encoder.decodeValueReferenceList(group.write(), 0)))
                    .isEqualTo(group.write());
        }
    }

    @Test
    void handlesAreFoldedAndHashedTheSame() throws Exception {
        String letters = "aZ09./-äÉ";
        for (int i = 0; i < 10 * TRIES; i++) {
            StringBuilder text = new StringBuilder(i % 3 == 0 ? "0.Na/x" : "x");
            for (int n = random.nextInt(10); n > 0; n--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            byte[] utf8 = text.toString().getBytes(StandardCharsets.UTF_8);
            Handle handle = Handle.of(text.toString());
            assertThat(handle.prefixHandle().bytes()).isEqualTo(Util.getZeroNAHandle(utf8));
            byte[] whole = Util.convertSlashlessHandleToZeroNaHandle(utf8);
            assertThat(handle.folded()).isEqualTo(Util.upperCase(whole));
            assertThat(handle.prefixFolded()).isEqualTo(Util.upperCasePrefix(whole));
            for (SiteRecord.Hash hash : SiteRecord.Hash.values()) {
                SiteInfo theirs = new SiteInfo();
                theirs.hashOption = (byte) hash.code();
                theirs.servers = new ServerInfo[5];
                SiteServer server = new SiteServer(1, new byte[16], new byte[0], List.of());
                SiteRecord ours = new SiteRecord(
                        2, 11, 1, true, false, hash, new byte[0], List.of(), List.of(server, server, server, server, server));
                assertThat(ours.serverOf(handle)).as(text + " " + hash).isEqualTo(theirs.determineServerNum(utf8));
            }
        }
    }

    private static KeyPair pair(String algorithm) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(1024);
        return generator.generateKeyPair();
    }

    @Test
    void keysAndTheirFilesAreTheSameForBoth() throws Exception {
        byte[] utf8 = "ein Satz, der läuft".getBytes(StandardCharsets.UTF_8);
        char[] passphrase = "ein Satz, der läuft".toCharArray();
        for (String algorithm : List.of("RSA", "DSA")) {
            KeyPair pair = pair(algorithm);
            PublicKeyRecord publicKey = PublicKeyRecord.of(pair.getPublic());
            assertThat(publicKey.write()).isEqualTo(Util.getBytesFromPublicKey(pair.getPublic()));
            assertThat(Util.getPublicKeyFromBytes(publicKey.write())).isEqualTo(pair.getPublic());
            PrivateKeyRecord key = PrivateKeyRecord.of(pair.getPrivate());
            assertThat(key.write()).isEqualTo(Util.getBytesFromPrivateKey(pair.getPrivate()));
            for (int kind = 0; kind <= 4; kind++) {
                assertThat(PrivateKeyFile.read(Util.encrypt(key.write(), utf8, kind), passphrase, true)).isEqualTo(key);
            }
            assertThat(Util.decrypt(PrivateKeyFile.write(key), null)).isEqualTo(key.write());
            assertThat(Util.decrypt(PrivateKeyFile.write(key, passphrase, new SecureRandom()), utf8)).isEqualTo(key.write());
        }
        PublicKeyRecord dh = PublicKeyRecord.of(pair("DH").getPublic());
        assertThat(Util.getBytesFromPublicKey(Util.getPublicKeyFromBytes(dh.write()))).isEqualTo(dh.write());
    }

    @Test
    void eachTakesTheMacsOfTheOther() throws Exception {
        byte[] secret = new byte[32];
        random.nextBytes(secret);
        SessionKey key = new SessionKey(secret, SessionCipher.AES);
        for (int minor : new int[] {1, 4, 7, 8, 11}) {
            DeleteHandleRequest request = of(new DeleteHandleRequest(handle(), null), minor);
            request.sessionCounter = 77;
            request.signMessage(secret);
            byte[] theirs = sent(request);
            assertThat(key.verifies(theirs, HandleMessage.read(theirs))).as("2." + minor).isTrue();
            HandleMessage plain = HandleMessage.read(sent(of(new DeleteHandleRequest(handle(), null), minor)));
            byte[] ours = key.seal(plain, 78).write();
            assertThat(read(ours).verifyMessage(secret)).as("2." + minor).isTrue();
            ours[ours.length - 1] ^= 1;
            assertThat(read(ours).verifyMessage(secret)).isFalse();
        }
    }

    @Test
    void eachDecryptsWhatTheOtherEncrypted() throws Exception {
        byte[] secret = new byte[32];
        random.nextBytes(secret);
        for (SessionCipher cipher : SessionCipher.values()) {
            for (int minor : new int[] {3, 4, 11}) {
                SessionInfo theirs = new SessionInfo(5, secret, handle(), 300, cipher.code(), 2, minor);
                SessionKey ours = new SessionKey(secret, cipher);
                byte[] clear = sent(of(new DeleteHandleRequest(handle(), null), minor));
                byte[] sealed = ours.encrypt(clear, random);
                assertThat(theirs.decryptBuffer(sealed, 20, sealed.length - 20))
                        .as(cipher + " 2." + minor)
                        .isEqualTo(Arrays.copyOfRange(clear, 20, clear.length));
                byte[] rest = theirs.encryptBuffer(clear, 20, clear.length - 20);
                byte[] whole = Arrays.copyOf(clear, 20 + rest.length);
                whole[2] |= 0x40;
                ByteBuffer.wrap(whole).putInt(16, rest.length).put(20, rest);
                assertThat(ours.decrypt(whole)).isEqualTo(clear);
            }
        }
    }

    @Test
    void eachTakesTheSignaturesOfTheOther() throws Exception {
        KeyPair pair = pair("RSA");
        for (int minor : new int[] {1, 4, 7, 8, 11}) {
            HandleMessage plain = HandleMessage.read(sent(of(new DeleteHandleRequest(handle(), null), minor)));
            byte[] ours = MessageSignature.sign(plain, pair.getPrivate(), 0).write();
            assertThat(read(ours).verifyMessage(pair.getPublic())).as("2." + minor).isTrue();
            ours[ours.length - 1] ^= 1;
            assertThat(read(ours).verifyMessage(pair.getPublic())).isFalse();
        }
    }

    @Test
    void theLibraryAnswersOurChallenges() throws Exception {
        byte[] nonce = new byte[16];
        random.nextBytes(nonce);
        byte[] secret = "secret".getBytes(StandardCharsets.UTF_8);
        for (int minor : new int[] {1, 6, 7, 11}) {
            DeleteHandleRequest request = of(new DeleteHandleRequest(handle(), null), minor);
            request.suggestMinorProtocolVersion = (byte) minor;
            byte[] received = sent(request);
            HandleMessage challenge =
                    new ResponseBuilder(1, true).challenge(HandleMessage.readRequest(received), received, nonce, 9, 1_700_000_000L);
            ChallengeResponse theirs = (ChallengeResponse) read(challenge.write());
            byte[] digest = challenge.requestDigest().orElseThrow().digest();
            assertThat(theirs.requestDigest).isEqualTo(digest);
            assertThat(theirs.nonce).isEqualTo(nonce);
            for (String algorithm : List.of("RSA", "DSA")) {
                KeyPair pair = pair(algorithm);
                byte[] answer = new PublicKeyAuthenticationInfo(handle(), 300, pair.getPrivate())
                        .authenticate(theirs, request);
                assertThat(PublicKeyProof.read(answer).verifies(pair.getPublic(), nonce, digest, false))
                        .as(algorithm + " 2." + minor)
                        .isTrue();
                // What we would have answered names the same digest.
                assertThat(PublicKeyProof.read(answer).digest())
                        .isEqualTo(PublicKeyProof.sign(
                                        pair.getPrivate(), new ProtocolVersion(2, minor), nonce, digest)
                                .digest());
            }
            byte[] answer = new SecretKeyAuthenticationInfo(handle(), 301, secret).authenticate(theirs, request);
            SecretKeyProof read = SecretKeyProof.read(answer);
            assertThat(read.verifies(secret, nonce, digest, true)).as(read.kind() + " 2." + minor).isTrue();
        }
    }

    @Test
    void errorsAreTheSameForBoth() throws Exception {
        List<String> seen = new ArrayList<>();
        for (int minor : new int[] {1, 4, 5, 11}) {
            for (ResponseCode code : ResponseCode.values()) {
                boolean plain = code != ResponseCode.SUCCESS && code != ResponseCode.CHALLENGE;
                boolean referral = code == ResponseCode.SERVICE_REFERRAL || code == ResponseCode.PREFIX_REFERRAL;
                if (plain && !referral) {
                    ErrorResponse theirs = of(new ErrorResponse(1, code.number(), new byte[0]), minor);
                    ProtocolVersion version = new ProtocolVersion(2, minor);
                    HandleMessage read = HandleMessage.read(sent(theirs));
                    assertThat(read.responseCode()).as(code + " " + version).contains(code.in(version));
                    seen.add(code.name());
                }
            }
        }
        assertThat(seen).hasSize(4 * (ResponseCode.values().length - 4));
    }
}
