package io.guidepost.handle.service;

import io.guidepost.handle.ValueReference;
import io.guidepost.handle.authentication.PublicKeyAnswer;
import io.guidepost.handle.authentication.SecretKeyAnswer;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.Records;
import java.io.IOException;
import java.security.PublicKey;
import java.util.Optional;

/** Looks at proofs of who somebody is, with the keys in records, here or at other servers. Thread-safe. */
@SuppressWarnings({"UnusedVariable", "DoNotCallSuggester", "UnusedMethod"}) // Filled by the next commits.
public final class Identities {
    private final HandleSettings settings;
    private final Records records;
    private final RemoteHandles remote;

    /** Takes keys from records, and from other servers where they live there. */
    public Identities(HandleSettings settings, Records records, RemoteHandles remote) {
        this.settings = settings;
        this.records = records;
        this.remote = remote;
    }

    /** Looks at an answer to a challenge made with a public key's private one. */
    public ResponseCode check(
            ValueReference who, PublicKeyAnswer answer, byte[] nonce, byte[] digest) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Looks at an answer to a challenge made with a secret key. */
    public ResponseCode check(
            ValueReference who, SecretKeyAnswer answer, byte[] nonce, byte[] digest) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Whether a secret is the one that somebody's value holds; for Basic authentication. Takes as long if it is not. */
    public ResponseCode checkSecret(ValueReference who, byte[] secret) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** The public key of somebody, for certificates and sessions; empty if their value holds none. */
    public Optional<PublicKey> publicKey(ValueReference who) throws IOException {
        throw new UnsupportedOperationException();
    }
}
