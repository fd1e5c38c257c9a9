import org.jspecify.annotations.NullMarked;

/** Prefix tables with true longest match: what is near to what. */
@NullMarked
module io.guidepost.proximity {
    requires transitive io.guidepost.base;
    requires java.xml;
    requires org.apache.commons.compress;
    requires static transitive org.jspecify;
    requires tools.jackson.core;

    exports io.guidepost.proximity;
    exports io.guidepost.proximity.bgp;
    exports io.guidepost.proximity.input;
    exports io.guidepost.proximity.oracle;
    exports io.guidepost.proximity.policy;
    exports io.guidepost.proximity.ranking;
    exports io.guidepost.proximity.rpki;
    exports io.guidepost.proximity.topology;
}
