import org.jspecify.annotations.NullMarked;

/** Load generators, baselines and scenes; not shipped. */
@NullMarked
module io.guidepost.bench {
    requires transitive io.guidepost.server;
    requires HdrHistogram;
    requires info.picocli;
    requires java.management;
    requires java.net.http;
    requires jdk.management;
    requires jmh.core;
    requires static transitive org.jspecify;
    requires rocksdbjni;

    opens io.guidepost.bench to info.picocli;
    opens io.guidepost.bench.alto to info.picocli;
    opens io.guidepost.bench.dns to info.picocli;
    opens io.guidepost.bench.flood to info.picocli;
    opens io.guidepost.bench.gate to info.picocli;
    opens io.guidepost.bench.gnrs to info.picocli;
    opens io.guidepost.bench.handle to info.picocli;
    opens io.guidepost.bench.names to info.picocli;
    opens io.guidepost.bench.packet to info.picocli;
    opens io.guidepost.bench.scaffold to info.picocli;
    opens io.guidepost.bench.scene to info.picocli;
    opens io.guidepost.bench.store to info.picocli;
}
