package io.guidepost.server.cli;

import io.guidepost.base.AddressText;
import io.guidepost.server.Server;
import io.guidepost.server.cli.scaffold.ScaffoldTraining;
import io.guidepost.server.cli.support.ConfigurationOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * {@code guidepost train}: runs {@code guidepost serve} and asks it a few things, so that the JVM can note which classes a start
 * needs (JEP 483): what it does not come by here, a start loads and verifies out of the jars. The launcher runs this once after a
 * build; a user never needs to.
 */
@Command(name = "train", hidden = true, description = "Used by the launcher after a build.")
final class TrainCommand implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
        ServerDemo demo = ServerDemo.make(1, 0);
        try {
            // No file and no variable of the user has a say here.
            List<String> sets = Stream.of(
                            demo.settings(0), Rehearsal.ports(), List.of("scaffold.enabled=true", "scaffold.hosts=127.0.0.0/8"))
                    .flatMap(List::stream)
                    .toList();
            ConfigurationOptions options = new ConfigurationOptions(Map.of(), null, sets);
            PrintWriter out = new PrintWriter(System.out, false, System.out.charset());
            return new ServerProcess(options, List.of(), 0, false, out).run(server -> play(demo, server));
        } finally {
            demo.delete();
        }
    }

    private static int play(ServerDemo demo, Server server) throws Exception {
        demo.fill(server);
        String admin = AddressText.of(server.adminAddress().orElseThrow());
        String gnrs = AddressText.of(server.gnrsAddresses().getFirst());
        int code = Main.execute("get", "printer", "--server", gnrs);
        code += Main.execute("put", "visitor", "192.0.2.99:7000", "--ttl", "60s", "--server", gnrs);
        code += Main.execute("get", "alice", "--server", gnrs);
        code += Main.execute("top", "--once", "--interval", "0.1", "--admin", admin);
        HandleTraining.play(server);
        NamesTraining.play(server.namesAddresses().getFirst());
        ScaffoldTraining.play(server.scaffoldAddresses().getFirst());
        return code;
    }
}
