import org.jspecify.annotations.NullMarked;

/** The house: configuration, wiring of doors to ports, admin port, and the guidepost command. */
@NullMarked
module io.guidepost.server {
    requires transitive io.guidepost.fleet;
    requires transitive io.guidepost.gnrs;
    requires transitive io.guidepost.handle;
    requires transitive io.guidepost.alto;
    requires transitive io.guidepost.naming;
    requires transitive io.guidepost.middlebox;
    requires transitive io.guidepost.scaffold;
    requires transitive io.guidepost.dns;
    requires HdrHistogram;
    requires info.picocli;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.codec.http2;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires java.management;
    requires java.net.http;
    requires jdk.management;
    requires org.jline.reader;
    requires org.jline.terminal;
    requires static transitive org.jspecify;
    requires org.tinylog.api;
    requires org.tinylog.impl;
    requires org.tomlj;

    exports io.guidepost.server;
    exports io.guidepost.server.admin;
    exports io.guidepost.server.cli;
    exports io.guidepost.server.cli.admin;
    exports io.guidepost.server.cli.names;
    exports io.guidepost.server.cli.scaffold;
    exports io.guidepost.server.cli.support;
    exports io.guidepost.server.config;
    exports io.guidepost.server.http;
    exports io.guidepost.server.service;

    uses io.guidepost.server.cli.CommandProvider;

    opens io.guidepost.server.cli to info.picocli;
    opens io.guidepost.server.cli.admin to info.picocli;
    opens io.guidepost.server.cli.boxes to info.picocli;
    opens io.guidepost.server.cli.fleet to info.picocli;
    opens io.guidepost.server.cli.handle to info.picocli;
    opens io.guidepost.server.cli.names to info.picocli;
    opens io.guidepost.server.cli.scaffold to info.picocli;
    opens io.guidepost.server.cli.support to info.picocli;
    opens io.guidepost.server.cli.topology to info.picocli;
}
