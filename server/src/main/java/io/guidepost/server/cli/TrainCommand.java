package io.guidepost.server.cli;

import io.guidepost.base.AddressText;
import io.guidepost.server.Server;
import io.guidepost.server.cli.scaffold.ScaffoldTraining;
import io.guidepost.server.config.Configuration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code guidepost train}: runs a server and asks it a few things, so that the JVM can note which classes a start needs
 * (JEP 483). The launcher runs this once after a build; a user never needs to.
 */
@Command(name = "train", hidden = true, description = "Used by the launcher after a build.")
final class TrainCommand implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
        ServerDemo demo = ServerDemo.make(1, 0);
        List<String> settings = new ArrayList<>(demo.settings(0));
        settings.addAll(Rehearsal.ports());
        settings.addAll(List.of("scaffold.enabled=true", "scaffold.hosts=127.0.0.0/8"));
        Configuration configuration = Configuration.load(null, Map.of(), settings);
        try (Server server = Server.start(configuration, () -> configuration)) {
            demo.fill(server);
            String admin = AddressText.of(server.adminAddress().orElseThrow());
            String gnrs = AddressText.of(server.gnrsAddresses().getFirst());
            int code = Main.execute("get", "printer", "--server", gnrs);
            code += Main.execute("put", "visitor", "192.0.2.99:7000", "--ttl", "60s", "--server", gnrs);
            code += Main.execute("get", "alice", "--server", gnrs);
            code += Main.execute("top", "--once", "--interval", "0.1", "--admin", admin);
            HandleTraining.play(server);
            ScaffoldTraining.play(server.scaffoldAddresses().getFirst());
            return code;
        } finally {
            demo.delete();
        }
    }
}
