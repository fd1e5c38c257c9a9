package io.guidepost.handle.authentication;

import io.guidepost.handle.message.ProtocolVersion;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Arrays;
import java.util.Optional;

/** The digests of signatures, one row each. */
enum SigningDigest {
    /** SHA-256. */
    SHA256("SHA-256", "SHA256"),
    /** SHA-1: that of old versions. */
    SHA1("SHA1", "SHA-1"),
    /** MD5; weak: accepted only if the caller allows it, never used for new signatures. */
    MD5("MD5", "MD5");

    private final String writtenName;
    private final String otherName;

    SigningDigest(String writtenName, String otherName) {
        this.writtenName = writtenName;
        this.otherName = otherName;
    }

    /** Returns its name on the wire, as existing clients write it. */
    public String writtenName() {
        return writtenName;
    }

    /** Returns whether signatures with it can be forged. */
    public boolean weak() {
        return this == MD5;
    }

    /** Returns the digest with a name, in either spelling; empty if it is unknown. */
    public static Optional<SigningDigest> of(String name) {
        return Arrays.stream(values())
                .filter(each -> each.writtenName.equals(name) || each.otherName.equals(name))
                .findFirst();
    }

    /** Returns the digest of new signatures in a version: SHA-256 from 2.7 on, with a DSA key from 2.11 on. */
    public static SigningDigest in(ProtocolVersion version, Key key) {
        boolean modern = key.getAlgorithm().equals("DSA") ? version.atLeast(2, 11) : version.atLeast(2, 7);
        return modern ? SHA256 : SHA1;
    }

    /** Verifies that a signature over some bytes is by the private key of a public key. Fails closed. */
    boolean verifies(PublicKey key, byte[] signature, byte[]... covered) {
        try {
            Signature check = Signature.getInstance(algorithm(key));
            check.initVerify(key);
            for (byte[] each : covered) {
                check.update(each);
            }
            return check.verify(signature);
        } catch (GeneralSecurityException | ArithmeticException e) {
            // The JDK detects a composite q of a DSA key only when it fails to divide by it.
            return false;
        }
    }

    String algorithm(Key key) {
        return name() + "with" + key.getAlgorithm();
    }
}
