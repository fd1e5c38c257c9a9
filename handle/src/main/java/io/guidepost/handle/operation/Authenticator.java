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

/** Looks at proofs of who somebody is, with the keys in records, here or at other servers. Thread-safe. */
public final class Authenticator {
    private final HandleSettings settings;
    private final HandleRecords records;
    private final RemoteResolver remote;

    /** Takes keys from records, and from other servers where they live there. */
    public Authenticator(HandleSettings settings, HandleRecords records, RemoteResolver remote) {
        this.settings = settings;
        this.records = records;
        this.remote = remote;
    }

    /**
     * Looks at an answer to a challenge made with a public key's private one.
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
     * Looks at an answer to a challenge made with a secret key; one that another server keeps is looked at there.
     *
     * @return as for the other kind
     */
    public ResponseCode check(
            ValueReference who, SecretKeyProof answer, byte[] nonce, byte[] digest) throws IOException {
        Optional<Boolean> right = checkHere(who, answer, nonce, digest);
        if (right.isEmpty() && records.find(who.handle()).isEmpty()) {
            right = remote.verify(who, nonce, digest, answer.write());
        }
        return right.map(Authenticator::result).orElse(ResponseCode.CANNOT_AUTHENTICATE);
    }

    /** Whether a proof was made with a secret key that is kept here; empty if it is not. No other server is asked. */
    public Optional<Boolean> checkHere(ValueReference who, SecretKeyProof answer, byte[] nonce, byte[] digest)
            throws IOException {
        return records.find(who.handle())
                .flatMap(record -> secret(record, who.index()))
                .map(secret -> answer.verifies(secret, nonce, digest, settings.weakCryptography()));
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
     * Whether a secret is the one that somebody's value holds; for Basic authentication. Takes as long if it is not. Only
     * secrets that are kept here can be looked at.
     *
     * @return SUCCESS or AUTHENTICATION_FAILED
     */
    public ResponseCode checkSecret(ValueReference who, byte[] secret) throws IOException {
        Optional<HandleRecord> record = records.find(who.handle());
        Optional<byte[]> kept = record.flatMap(each -> secret(each, who.index()));
        boolean same = MessageDigest.isEqual(kept.orElse(new byte[1]), secret);
        return result(same && kept.isPresent());
    }

    /** The public key of somebody, for certificates and sessions; empty if their value holds none. */
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
