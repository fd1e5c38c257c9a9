package io.guidepost.server.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.cli.CommandRun;
import io.guidepost.store.power.Marks;
import io.guidepost.store.power.PowerCuts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An import that said it was done is all there after a power loss; one in the middle is finished by the same command. */
class ImportPowerLossTest {
    private static final int RECORDS = 300;

    @TempDir
    Path temporary;

    @Test
    void anImportIsThereOrGoesOn() throws Exception {
        cut(6);
    }

    @Test
    @Tag("long")
    void anImportIsThereOrGoesOnAtHundredsOfCuts() throws Exception {
        cut(400);
    }

    private void cut(int number) throws Exception {
        StringBuilder dump = new StringBuilder();
        for (int i = 0; i < RECORDS; i++) {
            dump.append("{\"handle\":\"1234/" + i + "\",\"values\":[{\"index\":1,\"type\":\"URL\",\"data\":{\"format\":\"string\","
                    + "\"value\":\"https://example.org/" + i + "\"},\"ttl\":86400,\"timestamp\":\"2026-11-22T00:00:00Z\"}]}\n");
        }
        Path file = Files.writeString(temporary.toRealPath().resolve("dump.json"), dump);
        PowerCuts cuts = new PowerCuts(Files.createTempDirectory(temporary, "cuts"));
        int[] ended = {0};
        cuts.run(number, ImportChild.class, List.of(file.toString()), (image, marks, where) -> {
            Map<String, Object> again = imported(file, image);
            assertThat(count(again, "created") + count(again, "unchanged") + count(again, "doneBefore"))
                    .as("%s: %s", where, again)
                    .isEqualTo(RECORDS);
            if (!marks.isEmpty()) {
                ended[0]++;
                assertThat(count(again, "created")).as("%s: of a finished import: %s", where, again).isZero();
            }
            assertThat(count(imported(file, image), "unchanged")).as(where).isEqualTo(RECORDS);
        });
        assertThat(ended[0]).as("cuts after the end").isPositive();
    }

    private static long count(Map<String, Object> said, String what) {
        return said.get(what) instanceof Number number ? number.longValue() : 0;
    }

    private static Map<String, Object> imported(Path file, Path root) throws IOException {
        CommandRun run = CommandRun.of(
                "import", "handle", file.toString(), "--json", "--set", "store.folder=" + root.resolve("store"),
                "--set", "store.memory=32 MiB");
        assertThat(run.code()).as(run.err()).isZero();
        return run.json();
    }

    /** The process whose power is lost. */
    static final class ImportChild {
        private ImportChild() {}

        /** Arguments: folder, file. */
        public static void main(String[] args) throws IOException {
            Path root = Path.of(args[0]);
            Marks marks = new Marks(root);
            imported(Path.of(args[1]), root);
            marks.say('D', 0, 0, 0);
        }
    }
}
