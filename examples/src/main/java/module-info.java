import org.jspecify.annotations.NullMarked;

/** Small programs: a server inside a program, clients of its doors, and programs on packets; not shipped. */
@NullMarked
module io.guidepost.examples {
    requires transitive io.guidepost.server;
    requires io.guidepost.client;
    requires java.net.http;
    requires static transitive org.jspecify;
}
