import org.jspecify.annotations.NullMarked;

/** Records of one site on Apache Cassandra, behind any number of front ends without state. */
@NullMarked
module io.guidepost.fleet {
    requires transitive io.guidepost.names;
    requires transitive io.guidepost.store;
    requires static transitive org.jspecify;
    requires java.driver.core;

    exports io.guidepost.fleet;
}
