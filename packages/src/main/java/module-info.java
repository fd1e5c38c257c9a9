import org.jspecify.annotations.NullMarked;

/** Makes what is installed: a deb, a tar.gz and the context of a container image; not shipped. */
@NullMarked
module io.guidepost.packages {
    requires info.picocli;
    requires io.guidepost.server;
    requires org.apache.commons.compress;
    requires static transitive org.jspecify;
}
