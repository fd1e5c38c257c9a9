/** Simulation of deployments, the DMap study, and the proofs of crash safety; not shipped. */
module io.guidepost.lab {
    requires transitive io.guidepost.server;
    requires info.picocli;
    requires static transitive org.jspecify;

    opens io.guidepost.lab.command to info.picocli;
    opens io.guidepost.lab.prove to info.picocli;

    provides io.guidepost.server.cli.CommandProvider with io.guidepost.lab.command.LabCommands;
}
