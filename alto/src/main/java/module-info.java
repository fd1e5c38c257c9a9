import org.jspecify.annotations.NullMarked;

/** The proximity door: ALTO over HTTP, Proxidor over UDP, clients of both. */
@NullMarked
module io.guidepost.alto {
    requires transitive io.guidepost.names;
    requires transitive io.guidepost.proximity;
    requires transitive io.guidepost.web;
    requires java.net.http;
    requires static transitive org.jspecify;
    requires tools.jackson.core;

    exports io.guidepost.alto;
    exports io.guidepost.alto.client;
    exports io.guidepost.alto.cost;
    exports io.guidepost.alto.map;
    exports io.guidepost.alto.protocol;
    exports io.guidepost.alto.proxidor;
    exports io.guidepost.alto.service;
    exports io.guidepost.alto.tips;
    exports io.guidepost.alto.update;
    exports io.guidepost.alto.view;
}
