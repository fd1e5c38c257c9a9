import org.jspecify.annotations.NullMarked;

/** SCAFFOLD: connections to names that outlive links, routers, servers and addresses. */
@NullMarked
module io.guidepost.scaffold {
    requires transitive io.guidepost.names;
    requires transitive io.guidepost.store;
    requires transitive io.guidepost.packet;
    requires static transitive org.jspecify;

    exports io.guidepost.scaffold.flow;
    exports io.guidepost.scaffold.gateway;
    exports io.guidepost.scaffold.key;
    exports io.guidepost.scaffold.metrics;
    exports io.guidepost.scaffold.object;
    exports io.guidepost.scaffold.segment;
    exports io.guidepost.scaffold.stream;
    exports io.guidepost.scaffold.wire;
}
