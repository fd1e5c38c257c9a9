import org.jspecify.annotations.NullMarked;

/** A client of the names of a deployment, for Java 17; needs no other artifact. */
@NullMarked
module io.guidepost.client {
    requires transitive java.net.http;
    requires static transitive org.jspecify;

    exports io.guidepost.client;
}
