import org.jspecify.annotations.NullMarked;

/** Records that survive kill -9: engine, group commit, expiry, backup, change feed, and the read index in front. */
@NullMarked
module io.guidepost.store {
    requires transitive io.guidepost.names;
    requires static transitive org.jspecify;
    requires rocksdbjni;

    exports io.guidepost.store;
    exports io.guidepost.store.embedded;
    exports io.guidepost.store.index;
}
