package io.guidepost.handle.service;

import io.guidepost.base.Malformed;
import io.guidepost.base.SharedCounters;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.authentication.DiffieHellman;
import io.guidepost.handle.authentication.RsaKeyTransport;
import io.guidepost.handle.authentication.SessionCipher;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.KeyExchange;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.Authenticator;
import io.guidepost.handle.operation.HandleSettings;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.RSAPublicKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The key agreement of sessions, in each of the four modes. Thread-safe. */
final class SessionSetup {
    /** Bits of the longest accepted RSA key of a client: above, one encryption takes long. */
    private static final int CLIENT_KEY_BITS_MAX = 8192;

    private final HandleSettings settings;
    private final Authenticator identities;
    private final HandleSessions sessions;
    private final SharedCounters<HandleServiceCount> counts;
    private final SecureRandom random;

    SessionSetup(
            HandleSettings settings,
            Authenticator identities,
            HandleSessions sessions,
            SharedCounters<HandleServiceCount> counts,
            SecureRandom random) {
        this.settings = settings;
        this.identities = identities;
        this.sessions = sessions;
        this.counts = counts;
        this.random = random;
    }

    /**
     * The result of a key agreement.
     *
     * @param key null if the client will send it
     * @param part of the server
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed on at once.
    private record Agreed(@Nullable SessionKey key, byte[] part) {}

    /** Signals a failed key agreement. */
    private static final class Refused extends Exception {
        private final ResponseCode code;

        Refused(ResponseCode code, String text) {
            super(text);
            this.code = code;
        }
    }

    void begin(HandleExchange exchange, MessageBody.Setup setup) throws IOException {
        if (!exchange.tryAcquire(CpuQuota.SIGNATURE_MICROS)) {
            exchange.refuse(ResponseCode.BUSY, "too many session setups: try again later");
            return;
        }
        if (!exchange.request().envelope().version().encryptsWithVector()) {
            exchange.refuse(ResponseCode.SESSION_FAILED, "sessions need version 2.4: older ones are weak");
            return;
        }
        try {
            Agreed agreed = agree(setup.exchange());
            Optional<HandleSession> session =
                    sessions.open(exchange.call().subscriber(), agreed.key, Integer.toUnsignedLong(setup.timeoutSeconds()));
            if (session.isEmpty()) {
                exchange.refuse(ResponseCode.BUSY, "there are too many sessions");
                return;
            }
            exchange.responseTo(session.get(), new MessageBody.SetupReply(setup.exchange().mode(), agreed.part));
        } catch (Refused e) {
            counts.add(HandleServiceCount.SESSIONS_REFUSED_KEY_EXCHANGE);
            exchange.refuse(e.code, String.valueOf(e.getMessage()));
        }
    }

    private Agreed agree(KeyExchange exchange) throws Refused, IOException {
        try {
            return switch (exchange) {
                case KeyExchange.DiffieHellman client -> agree(PublicKeyRecord.read(client.publicKey()));
                case KeyExchange.ClientKey client ->
                    send(PublicKeyRecord.read(client.publicKey()).key());
                case KeyExchange.ReferredKey referred ->
                    send(identities
                            .publicKey(referred.key())
                            .orElseThrow(() -> new Refused(ResponseCode.SESSION_FAILED, "there is no such key")));
                case KeyExchange.ServerKey _ -> {
                    PublicKey own = settings.keys().getPublic();
                    if (!own.getAlgorithm().equals("RSA")) {
                        throw new Refused(ResponseCode.RSA_KEY_REQUIRED, "the server's key is not for RSA");
                    }
                    yield new Agreed(null, PublicKeyRecord.of(own).write());
                }
            };
        } catch (Malformed e) {
            throw new Refused(ResponseCode.BAD_SETUP, e.reason());
        } catch (GeneralSecurityException e) {
            throw new Refused(ResponseCode.SESSION_FAILED, "the keys do not belong together");
        }
    }

    private Agreed agree(PublicKeyRecord key) throws Refused, Malformed, GeneralSecurityException {
        if (!(key instanceof PublicKeyRecord.Dh client)) {
            throw new Refused(ResponseCode.BAD_SETUP, "the key of this exchange is DH_PUB_KEY");
        }
        KeyPair pair = DiffieHellman.serverKeys(client, settings.weakCryptography(), random);
        SessionKey agreed = DiffieHellman.agree(pair.getPrivate(), client, SessionCipher.AES);
        PublicKeyRecord.Dh own = (PublicKeyRecord.Dh) PublicKeyRecord.of(pair.getPublic());
        return new Agreed(agreed, new DiffieHellman.Reply(SessionCipher.AES, own).write());
    }

    /** Generates a key, and encrypts it for the client with the number of the cipher in front. */
    private Agreed send(PublicKey client) throws Refused, GeneralSecurityException {
        if (!(client instanceof RSAPublicKey rsa)
                || rsa.getModulus().bitLength() > CLIENT_KEY_BITS_MAX) {
            throw new Refused(
                    ResponseCode.RSA_KEY_REQUIRED,
                    "this exchange needs an RSA key of at most " + CLIENT_KEY_BITS_MAX + " bits");
        }
        byte[] secret = new byte[SessionKey.BYTES];
        random.nextBytes(secret);
        byte[] sent = new WireWriter().u32(SessionCipher.AES.code()).raw(secret).toBytes();
        return new Agreed(new SessionKey(secret, SessionCipher.AES), RsaKeyTransport.encrypt(sent, rsa));
    }

    /** Answers EXCHANGE_KEY: takes the key that the client generated for a session. */
    void take(HandleExchange exchange, HandleSession session, byte[] encrypted) throws IOException {
        if (session.key().isPresent() || encrypted.length > HandleLimits.KEY_RECORD_BYTES_MAX) {
            exchange.refuse(ResponseCode.BAD_SETUP, "the session has its key");
            return;
        }
        if (!exchange.tryAcquire(CpuQuota.SIGNATURE_MICROS)) {
            exchange.refuse(ResponseCode.BUSY, "too many session setups: try again later");
            return;
        }
        try {
            byte[] secret = RsaKeyTransport.decrypt(encrypted, settings.keys().getPrivate(), random);
            session.agree(new SessionKey(secret, SessionCipher.AES));
            exchange.answer(ResponseCode.SUCCESS, new MessageBody.Empty());
        } catch (GeneralSecurityException e) {
            counts.add(HandleServiceCount.SESSIONS_REFUSED_KEY_EXCHANGE);
            exchange.refuse(ResponseCode.SESSION_FAILED, "the server's key is not for RSA");
        }
    }
}
