package io.guidepost.handle.key;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireWriter;
import java.math.BigInteger;

/** The integers of keys. */
final class KeyIntegers {
    private static final int LABEL_SHOWN_MAX = 40;

    private KeyIntegers() {}

    /** Reads a positive integer; its highest bit is not a sign, as some writers omit the leading zero byte. */
    static BigInteger read(WireReader in) throws Malformed {
        int at = in.position();
        BigInteger value = new BigInteger(1, in.bytes(HandleLimits.KEY_INTEGER_BYTES_MAX));
        if (value.signum() == 0) {
            throw new Malformed("an integer of a key is zero", at);
        }
        return value;
    }

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

    /** Returns the part of a label off the wire that fits an error text. */
    static String shown(String label) {
        return label.length() <= LABEL_SHOWN_MAX ? label : label.substring(0, LABEL_SHOWN_MAX) + "...";
    }
}
