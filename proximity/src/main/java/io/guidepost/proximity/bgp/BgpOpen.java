package io.guidepost.proximity.bgp;

import io.guidepost.base.Malformed;

/**
 * The OPEN message (RFC 4271 section 4.2, RFC 9072 for long parameters), without its header:
 *
 * <pre>
 * +-----------+-------+--------------+---------------+-----------+------------+
 * | version 8 | AS 16 | hold time 16 | identifier 32 | length 8  | parameters |
 * +-----------+-------+--------------+---------------+-----------+------------+
 * parameter: | type 8 | length 8, or 16 if both length and first type are 255 | value |
 * </pre>
 *
 * @param version 4
 * @param as number of the speaker's AS, from the capability if there is one
 * @param holdSeconds hold time; 0 = none
 * @param identifier of the speaker, an IPv4 address
 * @param capabilities of the speaker
 */
record BgpOpen(int version, long as, int holdSeconds, int identifier, BgpCapabilities capabilities) {
    static final int VERSION = 4;

    private static final int CAPABILITIES = 2;
    private static final int EXTENDED = 255;

    /**
     * Reads the body.
     *
     * @throws BgpProtocolException with the code of a syntax error; whether values are acceptable is not checked here
     */
    static BgpOpen read(byte[] bytes, int from, int to) throws BgpProtocolException {
        BgpCursor in = new BgpCursor(bytes, from, to);
        try {
            int version = in.u8("version");
            if (version != VERSION) {
                throw new BgpProtocolException(
                        new BgpNotification(BgpNotification.OPEN, BgpNotification.BAD_VERSION, new byte[] {0, VERSION}),
                        "the peer speaks version " + version + ", not 4");
            }
            int as = in.u16("AS");
            int hold = in.u16("hold time");
            int identifier = in.i32("identifier");
            int length = in.u8("length of the parameters");
            boolean extended = length == EXTENDED && in.left() > 0 && in.copy().u8("") == EXTENDED;
            if (extended) {
                in.skip(1, "type of the extended length");
                length = in.u16("extended length of the parameters");
            }
            BgpCursor parameters = in.part(length, "parameters");
            if (in.left() > 0) {
                throw new Malformed("bytes stand behind the parameters", in.at());
            }
            BgpCapabilities.Reader reader = new BgpCapabilities.Reader();
            while (parameters.left() > 0) {
                int type = parameters.u8("type of a parameter");
                int bytesOf = extended ? parameters.u16("length of a parameter") : parameters.u8("length of a parameter");
                BgpCursor value = parameters.part(bytesOf, "parameter " + type);
                if (type != CAPABILITIES) {
                    throw new BgpProtocolException(
                            BgpNotification.of(BgpNotification.OPEN, BgpNotification.BAD_PARAMETER),
                            "parameter " + type + " is not known");
                }
                reader.read(value);
            }
            BgpCapabilities can = reader.done();
            return new BgpOpen(version, can.wideAs() >= 0 ? can.wideAs() : as, hold, identifier, can);
        } catch (Malformed e) {
            throw new BgpProtocolException(BgpNotification.of(BgpNotification.OPEN, 0), e.reason());
        }
    }

    /** Writes the body. */
    byte[] write() {
        byte[] can = capabilities.write();
        byte[] bytes = new byte[10 + 2 + can.length];
        int as16 = as > 0xffff ? BgpUpdateReader.AS_TRANS : (int) as;
        bytes[0] = (byte) version;
        bytes[1] = (byte) (as16 >>> 8);
        bytes[2] = (byte) as16;
        bytes[3] = (byte) (holdSeconds >>> 8);
        bytes[4] = (byte) holdSeconds;
        for (int i = 0; i < 4; i++) {
            bytes[5 + i] = (byte) (identifier >>> 24 - 8 * i);
        }
        bytes[9] = (byte) (2 + can.length);
        bytes[10] = CAPABILITIES;
        bytes[11] = (byte) can.length;
        System.arraycopy(can, 0, bytes, 12, can.length);
        return bytes;
    }
}
