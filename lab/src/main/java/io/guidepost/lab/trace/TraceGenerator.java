package io.guidepost.lab.trace;

import io.guidepost.base.Addresses;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Generates traces of the trace client's format: every name is inserted once, then names are looked up. One seed gives
 * one trace.
 */
public final class TraceGenerator {
    /** The distribution of look-ups over names. */
    public enum Popularity {
        /** Uniform, as in the traces that came with the older servers. */
        UNIFORM,
        /** Mandelbrot-Zipf, as in the DMap paper: rank r in proportion to (r + 100) to the power of -1.02. */
        MANDELBROT_ZIPF
    }

    private static final double RANK_OFFSET = 100;
    private static final double RANK_EXPONENT = -1.02;

    /** Cache TTL of each binding: that of the traces that came with the older servers. */
    private static final int TTL_MILLIS = 99_999;

    private TraceGenerator() {}

    /**
     * Writes a trace.
     *
     * @param seed the same seed gives the same trace
     * @param inserts names that are inserted, at least 1
     * @param lookups look-ups that follow
     */
    public static void write(long seed, int inserts, int lookups, Popularity popularity, Appendable out)
            throws IOException {
        if (inserts < 1 || lookups < 0) {
            throw new IllegalArgumentException("at least 1 insert and 0 look-ups, not " + inserts + " and " + lookups);
        }
        SplittableRandom random = new SplittableRandom(seed);
        long sequence = 1;
        for (int name = 1; name <= inserts; name++) {
            String place = Addresses.ofIpv4(random.nextInt()).getHostAddress() + ":" + random.nextInt(1024, 65_536);
            line(out, sequence++, " I ", name).append(' ').append(place).append("," + TTL_MILLIS + ",1\n");
        }
        double[] shares = shares(inserts, popularity);
        for (int i = 0; i < lookups; i++) {
            int at = Arrays.binarySearch(shares, random.nextDouble() * shares[inserts - 1]);
            line(out, sequence++, " Q ", 1L + (at < 0 ? ~at : at)).append('\n');
        }
    }

    private static Appendable line(Appendable out, long sequence, String kind, long name) throws IOException {
        return out.append(Long.toString(sequence)).append(kind).append(Long.toString(name));
    }

    /** Returns the sums of the shares of the names up to each rank. */
    private static double[] shares(int names, Popularity popularity) {
        double[] shares = new double[names];
        double sum = 0;
        for (int rank = 0; rank < names; rank++) {
            sum += popularity == Popularity.UNIFORM ? 1 : Math.pow(rank + RANK_OFFSET, RANK_EXPONENT);
            shares[rank] = sum;
        }
        return shares;
    }
}
