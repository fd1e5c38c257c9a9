import org.jspecify.annotations.NullMarked;

/** The GNRS door: codec, DMap placement, handler and client. */
@NullMarked
module io.guidepost.gnrs {
    requires transitive io.guidepost.store;
    requires transitive io.guidepost.proximity;
    requires static transitive org.jspecify;

    exports io.guidepost.gnrs;
    exports io.guidepost.gnrs.antientropy;
    exports io.guidepost.gnrs.client;
    exports io.guidepost.gnrs.peer;
    exports io.guidepost.gnrs.placement;
    exports io.guidepost.gnrs.relay;
    exports io.guidepost.gnrs.replica;
    exports io.guidepost.gnrs.wire;
}
