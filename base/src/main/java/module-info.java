import org.jspecify.annotations.NullMarked;

/** The ground under names and packets: addresses, prefixes, memory, counters, histograms, token bucket, sketch. */
@NullMarked
module io.guidepost.base {
    requires static transitive org.jspecify;

    exports io.guidepost.base;
}
