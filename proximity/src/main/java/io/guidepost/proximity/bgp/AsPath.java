package io.guidepost.proximity.bgp;

import io.guidepost.base.Malformed;

/**
 * The part of an AS_PATH that is kept (RFC 4271 section 4.3, RFC 5065 for confederations):
 *
 * <pre>
 * +--------+--------+------------------------+
 * | type 8 | count 8| count numbers of 16/32 |   one segment; a path is several
 * +--------+--------+------------------------+
 * </pre>
 *
 * <p>The distance is what routers compare: each number of a sequence counts one, repeated ones too, as prepending is
 * meant to lengthen the path; a set counts one; confederation segments count nothing, as they are inside one AS.
 *
 * <p>The origin is the last number of the path. If the path ends with a set, it is the member of a set of one, else the
 * last number before the set: the AS that aggregated.
 *
 * @param origin AS number of the prefix, unsigned 32 bits; 0 if the path does not have it
 * @param distance ASes on the path; 0 if the prefix belongs to the announcing AS
 * @param aggregated whether the last segment that is not of a confederation is a set
 * @param loops how often the sought number occurs
 */
record AsPath(long origin, int distance, boolean aggregated, int loops) {
    static final AsPath EMPTY = new AsPath(0, 0, false, 0);

    private static final int SET = 1;
    private static final int SEQUENCE = 2;
    private static final int CONFEDERATION_SEQUENCE = 3;
    private static final int CONFEDERATION_SET = 4;

    /**
     * Reads all segments.
     *
     * @param width bytes of a number, 2 or 4
     * @param ownAs a number that is not counted at the start of the path, see {@link BgpUpdateReader.Options}; 0 = none
     * @param soughtAs a number to count, see {@link #loops}; 0 = none
     * @throws Malformed by RFC 7606 section 7.2: an unknown type, no numbers, or too few bytes; or AS 0 (RFC 7607)
     */
    static AsPath read(BgpCursor in, int width, long ownAs, long soughtAs) throws Malformed {
        int begin = in.at();
        long origin = 0;
        int distance = 0;
        int loops = 0;
        boolean aggregated = false;
        boolean own = false;
        while (in.left() > 0) {
            int start = in.at();
            int type = in.u8("type of a segment of AS_PATH");
            int count = in.u8("count of a segment of AS_PATH");
            if (type < SET || type > CONFEDERATION_SET || count == 0) {
                throw new Malformed("a segment of AS_PATH has a type from 1 to 4 and at least one number, not type "
                        + type + " and " + count + " numbers", start);
            }
            boolean first = in.at() == begin + 2;
            long last = 0;
            for (int i = 0; i < count; i++) {
                last = width == 4 ? in.u32("a number of AS_PATH") : in.u16("a number of AS_PATH");
                if (last == 0) {
                    throw new Malformed("AS 0 stands in AS_PATH", in.at() - width);
                }
                loops += last == soughtAs ? 1 : 0;
                own |= first && i == 0 && type == SEQUENCE && last == ownAs;
            }
            if (type == SEQUENCE) {
                origin = last;
                distance += count;
                aggregated = false;
            } else if (type == SET) {
                origin = count == 1 ? last : origin;
                distance++;
                aggregated = true;
            } else {
                // Inside the announcing AS: no distance and no origin.
                assert type == CONFEDERATION_SEQUENCE || type == CONFEDERATION_SET;
            }
        }
        return new AsPath(origin, Math.min(own ? distance - 1 : distance, BgpLimits.DISTANCE_MAX), aggregated, loops);
    }

    /**
     * Merges a path of 16-bit numbers with AS4_PATH (RFC 6793 section 4.2.3): the 32-bit numbers replace the end of the
     * path, unless an old router on the way shortened it.
     */
    AsPath with(AsPath longer) {
        return longer.distance == 0 || longer.distance > distance ? this
                : new AsPath(longer.origin, distance, longer.aggregated, Math.max(loops, longer.loops));
    }
}
