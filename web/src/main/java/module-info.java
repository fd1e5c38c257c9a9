import org.jspecify.annotations.NullMarked;

/** Requests and answers of HTTP as values, and strict JSON: what doors over HTTP share. */
@NullMarked
module io.guidepost.web {
    requires transitive io.guidepost.base;
    requires static transitive org.jspecify;
    requires transitive tools.jackson.core;

    exports io.guidepost.web;
}
