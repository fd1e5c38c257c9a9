package io.guidepost.scaffold.stream;

import io.guidepost.base.Malformed;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;

/** What clients of SOCKS send, for {@code ./guidepost fuzz}. */
public final class SocksFuzz {
    private SocksFuzz() {}

    /** Tries a greeting and the request behind it. */
    public static void fuzz(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            if (SocksRequest.readGreeting(in) == null) {
                unread(in, 0);
                return;
            }
            int at = in.position();
            SocksRequest request = SocksRequest.read(in);
            if (request == null) {
                unread(in, at);
                return;
            }
            String object = request.object("svc.internal");
            if (request.refusal("svc.internal") == SocksRequest.DONE
                    && (object.isEmpty() || object.endsWith(".") || object.length() > 255 || object.indexOf('/') >= 0)) {
                throw new AssertionError("'" + object + "' is no object");
            }
        } catch (Malformed e) {
            if (e.offset() != 0) {
                throw new AssertionError("a fault at " + e.offset());
            }
        }
    }

    private static void unread(ByteBuffer in, int at) {
        if (in.position() != at || in.remaining() >= SocksRequest.BYTES_MAX) {
            throw new AssertionError(in.remaining() + " bytes are not enough, from " + in.position());
        }
    }

    /** Right ones. */
    public static List<byte[]> seeds() {
        return List.of(
                HexFormat.of().parseHex("050100" + "05010003" + "10" + "7765622e7376632e696e7465726e616c" + "0050"),
                HexFormat.of().parseHex("05020001" + "05010001" + "7f000001" + "0050"),
                HexFormat.of().parseHex("05020001" + "05020004" + "00".repeat(16) + "0050"));
    }
}
