import org.jspecify.annotations.NullMarked;

/** Names over HTTP and JSON: places, lists, watches, leases. */
@NullMarked
module io.guidepost.naming {
    requires transitive io.guidepost.names;
    requires transitive io.guidepost.proximity;
    requires transitive io.guidepost.store;
    requires transitive io.guidepost.web;
    requires static transitive org.jspecify;
    requires tools.jackson.core;

    exports io.guidepost.naming;
}
