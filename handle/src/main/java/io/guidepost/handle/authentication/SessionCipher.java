package io.guidepost.handle.authentication;

import io.guidepost.base.Malformed;

/** The ciphers of sessions, one row each. */
public enum SessionCipher {
    /** DES; weak: used only if the caller allows it. */
    DES(1, "DES", 8, 8),
    /** Triple DES. */
    DESEDE(2, "DESede", 24, 8),
    /** AES with 128 bits. */
    AES(3, "AES", 16, 16);

    private final int code;
    private final String algorithm;
    private final int keyBytes;
    private final int blockBytes;

    SessionCipher(int code, String algorithm, int keyBytes, int blockBytes) {
        this.code = code;
        this.algorithm = algorithm;
        this.keyBytes = keyBytes;
        this.blockBytes = blockBytes;
    }

    /** Returns its number on the wire. */
    public int code() {
        return code;
    }

    String algorithm() {
        return algorithm;
    }

    int keyBytes() {
        return keyBytes;
    }

    int blockBytes() {
        return blockBytes;
    }

    static SessionCipher ofCode(int code, int at) throws Malformed {
        for (SessionCipher each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        throw new Malformed("the cipher of a session is DES (1), DESede (2) or AES (3), not " + code, at);
    }
}
