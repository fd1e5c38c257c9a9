package io.guidepost.dns.wire;

import io.guidepost.base.Malformed;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** A domain name, in lower case, as it is on the wire: labels with their lengths, and 0. Immutable. */
public final class DnsName {
    private final byte[] wire;
    private final int labels;

    private DnsName(byte[] wire, int labels) {
        this.wire = wire;
        this.labels = labels;
    }

    /**
     * Parses a name such as {@code names.example} or {@code names.example.}, of printable ASCII characters.
     *
     * @throws Malformed if it is none, or is the root
     */
    public static DnsName parse(String text) throws Malformed {
        String bare = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int count = 0;
        int at = 0;
        for (String label : bare.toLowerCase(Locale.ROOT).split("\\.", -1)) {
            if (label.isEmpty() || label.length() > DnsLimits.LABEL_BYTES_MAX) {
                throw new Malformed("'" + text + "' is no domain name: each part between dots has 1 to 63 characters", at);
            }
            if (!label.chars().allMatch(each -> each > ' ' && each <= '~' && each != '\\')) {
                throw new Malformed("'" + text + "' is no domain name: write printable ASCII characters, and xn-- for others", at);
            }
            out.write(label.length());
            out.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
            at += label.length() + 1;
            count++;
        }
        out.write(0);
        if (out.size() > DnsLimits.NAME_BYTES_MAX) {
            throw new Malformed("'" + text + "' is no domain name: it has more than 253 characters", 0);
        }
        return new DnsName(out.toByteArray(), count);
    }

    /** Returns the number of labels. */
    public int labels() {
        return labels;
    }

    /** Returns the bytes on the wire; not to be changed. */
    public byte[] wire() {
        return wire;
    }

    /** Returns whether this name is another one, or below it. */
    public boolean isIn(DnsName other) {
        int from = wire.length - other.wire.length;
        int at = 0;
        while (at < from) {
            at += 1 + wire[at];
        }
        return at == from && Arrays.equals(wire, from, wire.length, other.wire, 0, other.wire.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DnsName that && Arrays.equals(wire, that.wire);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(wire);
    }

    /** Returns the text without a dot at its end. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int at = 0; wire[at] != 0; at += 1 + wire[at]) {
            text.append(text.isEmpty() ? "" : ".").append(new String(wire, at + 1, wire[at], StandardCharsets.US_ASCII));
        }
        return text.toString();
    }
}
