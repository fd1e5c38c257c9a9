package io.guidepost.server.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.oracle.OracleDump;
import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import io.guidepost.store.power.Marks;
import io.guidepost.store.power.PowerCuts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After a power loss the files of a network are those of the last dump that was done, or of the next, with all their routers. */
class OracleDumpPowerLossTest {
    private static final int DUMPS = 4;

    @TempDir
    Path temporary;

    @Test
    void aDumpIsTheLastOrTheNext() throws Exception {
        cut(40);
    }

    @Test
    @Tag("long")
    void aDumpIsTheLastOrTheNextAtEachCall() throws Exception {
        for (int i = 0; i < 8; i++) {
            cut(Integer.MAX_VALUE);
        }
    }

    private void cut(int number) throws Exception {
        List<String> dumps = new ArrayList<>();
        for (int i = 0; i < DUMPS; i++) {
            Path folder = Files.createTempDirectory(temporary, "whole");
            OracleDump.write(network(i), OracleSettings.DEFAULTS, folder);
            dumps.add(text(folder));
        }
        assertThat(dumps).doesNotHaveDuplicates();
        PowerCuts cuts = new PowerCuts(Files.createTempDirectory(temporary, "cuts"));
        int[] most = {0};
        cuts.run(number, DumpingChild.class, List.of(), (image, marks, where) -> {
            int done = marks.size();
            Path folder = image.resolve("dump");
            if (done > 0 || Files.exists(folder.resolve(OracleDump.MAIN_FILE))) {
                List<String> possible = dumps.subList(Math.max(0, done - 1), Math.min(DUMPS, done + 1));
                assertThat(text(folder)).as(where).isIn(possible);
            }
            most[0] = Math.max(most[0], done);
        });
        assertThat(most[0]).as("dumps before the last cut").isEqualTo(DUMPS);
    }

    /** Returns all that a reader of a dump meets, but the name of its folder. */
    private static String text(Path folder) throws IOException {
        String main = Files.readString(folder.resolve(OracleDump.MAIN_FILE));
        String routers = main.lines().findFirst().orElse("").replace("configdir ", "");
        StringBuilder text = new StringBuilder(main.replace(routers, ""));
        Path files = folder.resolve(routers);
        if (Files.isDirectory(files)) {
            try (Stream<Path> all = Files.list(files)) {
                for (Path each : all.sorted().toList()) {
                    text.append(each.getFileName()).append(": ").append(Files.readString(each));
                }
            }
        }
        return text.toString();
    }

    private static OperatorNetwork network(int number) throws Malformed {
        OperatorNetwork network = new OperatorNetwork();
        TopologyLink link = new TopologyLink(number + 1, 1000, 0, 1);
        Address[] ends = {Address.parse("10.9.0.1"), Address.parse("10.9.0.2")};
        for (int i = 0; i < ends.length; i++) {
            Address id = Address.parse("10.8.0." + (i + 1));
            Nic nic = new Nic(0, ends[i], ends[1 - i], true, link);
            network.topology(network.topology().with(new TopologyRouter(id, true, 2, List.of(nic), List.of())));
            network.add(Prefix.parse("10." + number + "." + i + ".0/24"), PrefixAttachment.internal(id, 1));
        }
        return network;
    }

    /** The process whose power is lost. */
    static final class DumpingChild {
        private DumpingChild() {}

        /** Argument: folder. */
        public static void main(String[] args) throws IOException, Malformed {
            Path root = Path.of(args[0]);
            Marks marks = new Marks(root);
            for (int i = 0; i < DUMPS; i++) {
                OracleDump.write(network(i), OracleSettings.DEFAULTS, root.resolve("dump"));
                marks.say('D', i, 0, 0);
            }
        }
    }
}
