package io.guidepost.handle.operation;

import io.guidepost.base.Malformed;
import io.guidepost.handle.authentication.PublicKeyProof;
import io.guidepost.handle.authentication.SecretKeyProof;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.handle.value.ValueType;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.util.List;
import java.util.Optional;

/** Authenticates clients: verifies proofs with the keys in records, here or on other servers. Thread-safe. */
public final class Authenticator {
    /** Stands for a secret key that is not there. */
    private static final byte[] NO_SECRET = new byte[1];

    private final HandleSettings settings;
    private final HandleRecords records;
    private final RemoteResolver remote;

    /** Creates it over records, and a resolver for keys on other servers. */
    public Authenticator(HandleSettings settings, HandleRecords records, RemoteResolver remote) {
        this.settings = settings;
        this.records = records;
        this.remote = remote;
    }

    /**
     * Verifies a response to a challenge made with a private key.
     *
     * @return SUCCESS, AUTHENTICATION_FAILED, or CANNOT_AUTHENTICATE if the key is not found
     */
    public ResponseCode check(
            ValueReference who, PublicKeyProof answer, byte[] nonce, byte[] digest) throws IOException {
        Optional<PublicKey> key = publicKey(who);
        if (key.isEmpty()) {
            return ResponseCode.CANNOT_AUTHENTICATE;
        }
        return result(answer.verifies(key.get(), nonce, digest, settings.weakCryptography()));
    }

    /**
     * Verifies a response to a challenge made with a secret key; another server that keeps the key does it if it is not
     * here.
     *
     * @return SUCCESS, AUTHENTICATION_FAILED, or CANNOT_AUTHENTICATE if the handle is not here and no other server verifies it
     */
    public ResponseCode check(
            ValueReference who, SecretKeyProof answer, byte[] nonce, byte[] digest) throws IOException {
        if (records.find(who.handle()).isPresent()) {
            return result(checkHere(who, answer, nonce, digest));
        }
        return remote.verify(who, nonce, digest, answer.write())
                .map(Authenticator::result)
                .orElse(ResponseCode.CANNOT_AUTHENTICATE);
    }

    /**
     * Returns whether a proof was made with a secret key that is kept here. Takes as long if there is no such key, which clients
     * must not learn. Contacts no other server.
     */
    public boolean checkHere(ValueReference who, SecretKeyProof answer, byte[] nonce, byte[] digest) throws IOException {
        Optional<byte[]> kept = records.find(who.handle()).flatMap(record -> secret(record, who.index()));
        boolean right = answer.verifies(kept.orElse(NO_SECRET), nonce, digest, settings.weakCryptography());
        return right && kept.isPresent();
    }

    private static ResponseCode result(boolean right) {
        return right ? ResponseCode.SUCCESS : ResponseCode.AUTHENTICATION_FAILED;
    }

    private static Optional<byte[]> secret(HandleRecord record, int index) {
        return record.value(index)
                .filter(each -> each.is(ValueType.HS_SECKEY))
                .map(HandleValue::data)
                .filter(data -> data.length > 0);
    }

    /**
     * Compares a secret with that of a value, for Basic authentication, in constant time. Only for secrets that are
     * kept here.
     *
     * @return SUCCESS or AUTHENTICATION_FAILED
     */
    public ResponseCode checkSecret(ValueReference who, byte[] secret) throws IOException {
        Optional<HandleRecord> record = records.find(who.handle());
        Optional<byte[]> kept = record.flatMap(each -> secret(each, who.index()));
        boolean same = MessageDigest.isEqual(kept.orElse(NO_SECRET), secret);
        return result(same && kept.isPresent());
    }

    /** Returns the public key of an identity, for certificates and sessions; empty if its value holds none. */
    public Optional<PublicKey> publicKey(ValueReference who) throws IOException {
        Optional<HandleRecord> record = records.find(who.handle());
        List<HandleValue> values = record.isPresent() ? record.get().values() : ask(who);
        for (HandleValue each : values) {
            if (each.index() == who.index() && each.is(ValueType.HS_PUBKEY)) {
                try {
                    return Optional.of(PublicKeyRecord.read(each.data()).key());
                } catch (Malformed e) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    private List<HandleValue> ask(ValueReference who) throws IOException {
        ResolveRequest question = new ResolveRequest(who.handle(), List.of(who.index()), List.of(), true, false, false, 0);
        return remote.resolve(question)
                .filter(HandleResult::success)
                .map(HandleResult::values)
                .orElse(List.of());
    }
}
