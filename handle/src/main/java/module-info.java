import org.jspecify.annotations.NullMarked;

/** The Handle door: wire, authentication, resolution, administration, REST, replication. */
@NullMarked
module io.guidepost.handle {
    requires transitive io.guidepost.store;
    requires transitive io.guidepost.proximity;
    requires transitive io.guidepost.web;
    requires java.naming;
    requires java.net.http;
    requires java.sql;
    requires java.xml;
    requires static transitive org.jspecify;
    requires tools.jackson.core;

    exports io.guidepost.handle;
    exports io.guidepost.handle.authentication;
    exports io.guidepost.handle.client;
    exports io.guidepost.handle.door;
    exports io.guidepost.handle.json;
    exports io.guidepost.handle.key;
    exports io.guidepost.handle.location;
    exports io.guidepost.handle.message;
    exports io.guidepost.handle.operation;
    exports io.guidepost.handle.record;
    exports io.guidepost.handle.redirector;
    exports io.guidepost.handle.replication;
    exports io.guidepost.handle.rest;
    exports io.guidepost.handle.service;
    exports io.guidepost.handle.template;
    exports io.guidepost.handle.transfer;
    exports io.guidepost.handle.value;
}
