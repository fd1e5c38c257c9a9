package io.guidepost.handle.key;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireWriter;
import java.math.BigInteger;

/** The integers that keys are made of. */
final class KeyIntegers {
    private static final int LABEL_SHOWN_MAX = 40;

    private KeyIntegers() {}

    /** Reads a positive integer; its highest bit is no sign, as some writers leave the zero byte out. */
    static BigInteger read(WireReader in) throws Malformed {
        int at = in.position();
        BigInteger value = new BigInteger(1, in.bytes(HandleLimits.KEY_INTEGER_BYTES_MAX));
        if (value.signum() == 0) {
            throw new Malformed("an integer of a key is zero", at);
        }
        return value;
    }

    /** Writes label, flags and integers of a public key. */
    static WireWriter label(WireWriter out, String label, BigInteger... values) {
        out.text(label).u16(0);
        return write(out, values);
    }

    static WireWriter write(WireWriter out, BigInteger... values) {
        for (BigInteger each : values) {
            out.bytes(each.toByteArray());
        }
        return out;
    }

    /** So much of a label that came by wire as fits a message. */
    static String shown(String label) {
        return label.length() <= LABEL_SHOWN_MAX ? label : label.substring(0, LABEL_SHOWN_MAX) + "...";
    }
}
