import org.jspecify.annotations.NullMarked;

/** Simulation of deployments, the DMap study, traces of requests and their replay, and the proofs of crash safety; not shipped. */
@NullMarked
module io.guidepost.lab {
    requires io.guidepost.client;
    requires io.guidepost.naming;
    requires io.guidepost.scaffold;
    requires transitive io.guidepost.server;
    requires info.picocli;
    requires HdrHistogram;
    requires java.management;
    requires java.naming;
    requires java.net.http;
    requires static transitive org.jspecify;

    opens io.guidepost.lab.command to info.picocli;
    opens io.guidepost.lab.prove to info.picocli;
    opens io.guidepost.lab.soak to info.picocli;
    opens io.guidepost.lab.trace to info.picocli;

    provides io.guidepost.server.cli.CommandProvider with io.guidepost.lab.command.LabCommands;
}
