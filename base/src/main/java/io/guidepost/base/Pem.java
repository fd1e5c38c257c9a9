package io.guidepost.base;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Keys, certificates and other bytes as text between two lines that say what they are (RFC 7468). */
public final class Pem {
    private static final int LINE_CHARACTERS = 64;

    private Pem() {}

    /**
     * Returns the text, which ends in a line end.
     *
     * @param label such as {@code PRIVATE KEY}
     */
    public static byte[] write(String label, byte[] bytes) {
        String text = Base64.getMimeEncoder(LINE_CHARACTERS, new byte[] {'\n'}).encodeToString(bytes);
        return (begin(label) + "\n" + text + "\n" + end(label) + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Returns the bytes of the first part of a file with a label.
     *
     * @throws Malformed if there is none, or it is not base 64
     */
    public static byte[] read(String label, byte[] file) throws Malformed {
        return readAll(label, file).getFirst();
    }

    /**
     * Returns the bytes of each part of a file with a label, in order; what has another label is left alone.
     *
     * @throws Malformed if there is none, or one is not base 64
     */
    public static List<byte[]> readAll(String label, byte[] file) throws Malformed {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        List<byte[]> parts = new ArrayList<>();
        int begin = text.indexOf(begin(label));
        while (begin >= 0) {
            int end = text.indexOf(end(label), begin);
            if (end < 0) {
                throw new Malformed("there is no line " + end(label), text.length());
            }
            try {
                parts.add(Base64.getMimeDecoder().decode(text.substring(begin + begin(label).length(), end)));
            } catch (IllegalArgumentException e) {
                throw new Malformed("what stands behind " + begin(label) + " is not base 64", begin);
            }
            begin = text.indexOf(begin(label), end);
        }
        if (parts.isEmpty()) {
            throw new Malformed("there are no lines " + begin(label) + " and " + end(label), 0);
        }
        return parts;
    }

    private static String begin(String label) {
        return "-----BEGIN " + label + "-----";
    }

    private static String end(String label) {
        return "-----END " + label + "-----";
    }
}
