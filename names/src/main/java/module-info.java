import org.jspecify.annotations.NullMarked;

/** The vocabulary: names, records, places, and the byte cursor all codecs share. */
@NullMarked
module io.guidepost.names {
    requires transitive io.guidepost.base;
    requires static transitive org.jspecify;

    exports io.guidepost.names;
}
