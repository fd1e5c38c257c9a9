package io.guidepost.web;

import io.guidepost.base.Malformed;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Parses query strings and forms: {@code application/x-www-form-urlencoded}, and percent-encoded UTF-8 alone. */
public final class FormUrlEncoded {
    /** Takes the parameters of a form, in order. */
    @FunctionalInterface
    public interface Visitor {
        /** Takes one parameter, decoded. */
        void parameter(String name, String value) throws Malformed;
    }

    private FormUrlEncoded() {}

    /**
     * Visits the parameters of a query string or of the body of a form.
     *
     * @throws Malformed if one is not percent-encoded UTF-8, or the visitor refuses it
     */
    public static void parse(String form, Visitor visitor) throws Malformed {
        for (String each : form.split("&", -1)) {
            if (!each.isEmpty()) {
                int equals = each.indexOf('=');
                String name = equals < 0 ? each : each.substring(0, equals);
                String value = equals < 0 ? "" : each.substring(equals + 1);
                visitor.parameter(decode(name.replace('+', ' ')), decode(value.replace('+', ' ')));
            }
        }
    }

    /**
     * Decodes percent-encoded UTF-8 (RFC 3986 section 2.1).
     *
     * @throws Malformed if it is malformed, or not UTF-8
     */
    public static String decode(String encoded) throws Malformed {
        if (encoded.indexOf('%') < 0) {
            return encoded;
        }
        byte[] in = encoded.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(in.length);
        for (int i = 0; i < in.length; i++) {
            if (in[i] != '%') {
                out.write(in[i]);
            } else {
                boolean whole = i + 2 < in.length;
                int high = whole ? Character.digit(in[i + 1], 16) : -1;
                int low = whole ? Character.digit(in[i + 2], 16) : -1;
                if (high < 0 || low < 0) {
                    throw new Malformed("behind a percent sign stand two hexadecimal digits", i);
                }
                out.write(high << 4 | low);
                i += 2;
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(out.toByteArray())).toString();
        } catch (CharacterCodingException e) {
            throw new Malformed("the percent-encoded bytes are not UTF-8", 0);
        }
    }
}
