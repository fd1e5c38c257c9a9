package io.guidepost.handle.value;

import io.guidepost.base.Malformed;

/**
 * Read and write permissions of a value: four bits (RFC 3651 section 3.1). The other bits of the byte are unassigned
 * and kept.
 *
 * @param bits the byte as it is on the wire, 0 to 255
 */
public record Permissions(int bits) {
    private static final int ADMIN_READ = 8;
    private static final int ADMIN_WRITE = 4;
    private static final int PUBLIC_READ = 2;
    private static final int PUBLIC_WRITE = 1;

    /** Readable by all, writable by administrators: the default. */
    public static final Permissions USUAL = new Permissions(ADMIN_READ | ADMIN_WRITE | PUBLIC_READ);

    /** Readable and writable by administrators alone, as secret keys are. */
    public static final Permissions SECRET = new Permissions(ADMIN_READ | ADMIN_WRITE);

    /** Refuses a number that one byte does not hold. */
    public Permissions {
        if (bits >>> 8 != 0) {
            throw new IllegalArgumentException("permissions are one byte, not " + bits);
        }
    }

    /**
     * Reads the four binary digits of the JSON form: admin read, admin write, public read, public write.
     *
     * @throws Malformed if they are not four binary digits
     */
    public static Permissions parse(String text) throws Malformed {
        if (!text.matches("[01]{4}")) {
            throw new Malformed("permissions are four binary digits, as 1110 is, not '" + text + "'", 0);
        }
        return new Permissions(Integer.parseInt(text, 2));
    }

    /** Returns whether administrators may read the value. */
    public boolean adminRead() {
        return (bits & ADMIN_READ) != 0;
    }

    /** Returns whether administrators may change it. */
    public boolean adminWrite() {
        return (bits & ADMIN_WRITE) != 0;
    }

    /** Returns whether anyone may read it. */
    public boolean publicRead() {
        return (bits & PUBLIC_READ) != 0;
    }

    /** Returns whether anyone may change it. */
    public boolean publicWrite() {
        return (bits & PUBLIC_WRITE) != 0;
    }

    /** Returns the four binary digits of the JSON form. */
    @Override
    public String toString() {
        return Integer.toBinaryString(0x10 | bits & 0xf).substring(1);
    }
}
