package io.guidepost.server.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.server.RunningServer;
import io.guidepost.store.power.JournaledProcess;
import io.guidepost.store.power.Marks;
import io.guidepost.store.power.WriteJournal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code store.durability} reaches the disk: counted in the calls of a server that clients write to, one after the other. */
class DurabilityKeyTest {
    private static final int WRITES = 50;
    private static final String LOG = ".log";

    @TempDir
    Path temporary;

    private WriteJournal journal(String durability) throws Exception {
        Path work = temporary.toRealPath();
        Path root = Files.createDirectory(work.resolve(durability));
        return new JournaledProcess(work).run(root, WritingServer.class, root.toString(), durability);
    }

    @Test
    void fsyncSyncsTheLogOnceForEachGroup() throws Exception {
        WriteJournal journal = journal("fsync");
        long groups = journal.mark('E').first() - journal.mark('B').first();
        assertThat(groups).as("commit groups").isEqualTo(WRITES);
        assertThat(journal.between('B', 'E').count('s', LOG)).as("syncs of the log").isEqualTo(groups);
        // One after the name of the log was made.
        assertThat(journal.between('B', 'E').count('s')).as("syncs").isBetween(groups, groups + 1);
    }

    @Test
    void osWritesTheLogAndDoesNotSyncIt() throws Exception {
        WriteJournal journal = journal("os").between('B', 'E');
        assertThat(journal.count('w', LOG)).as("writes of the log").isGreaterThanOrEqualTo(WRITES);
        assertThat(journal.count('s')).as("syncs").isZero();
    }

    @Test
    void memoryWritesNoLog() throws Exception {
        assertThat(journal("memory").count('w', LOG)).as("writes of the log").isZero();
    }

    /** The server, which writes to itself. */
    static final class WritingServer {
        private WritingServer() {}

        /** Arguments: folder, durability. */
        public static void main(String[] args) throws Exception {
            Path root = Path.of(args[0]);
            Marks marks = new Marks(root);
            try (RunningServer server = RunningServer.start(root, "store.durability=" + args[1]);
                    GnrsClient client = GnrsClient.open(server.address(), new GnrsClientSettings(5000, 1, 64))) {
                marks.say('B', groups(server), 0, 0);
                for (int i = 0; i < WRITES; i++) {
                    client.insert(Guid.ofAscii("name " + i), List.of(Binding.of(Locator.parse("192.0.2.1:7000"))));
                }
                marks.say('E', groups(server), 0, 0);
            }
        }

        private static long groups(RunningServer server) throws Exception {
            String name = "guidepost_store_groups_total ";
            return server.page("/metrics")
                    .lines()
                    .filter(each -> each.startsWith(name))
                    .map(each -> Long.parseLong(each.substring(name.length())))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
