import org.jspecify.annotations.NullMarked;

/** The DNS door: names as records of a zone, over UDP and TCP, and transfers to secondaries. */
@NullMarked
module io.guidepost.dns {
    requires transitive io.guidepost.names;
    requires transitive io.guidepost.store;
    requires transitive io.guidepost.proximity;
    requires static transitive org.jspecify;

    exports io.guidepost.dns;
    exports io.guidepost.dns.transfer;
    exports io.guidepost.dns.wire;
}
