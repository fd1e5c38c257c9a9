package io.guidepost.server.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.store.power.Marks;
import io.guidepost.store.power.PowerCuts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of names that was written to its end is there, whole, after a power loss. */
final class NameFilePowerLossTest {
    private static final int NAMES = 100;

    @TempDir
    private Path temporary;

    private static byte[] image(int number) {
        byte[] image = new byte[1000];
        image[0] = (byte) number;
        return image;
    }

    @Test
    void whatWasEndedIsThere() throws Exception {
        int[] ended = {0};
        // At each of its few calls.
        new PowerCuts(temporary).run(Integer.MAX_VALUE, NamesChild.class, List.of(), (image, marks, where) -> {
            if (!marks.isEmpty()) {
                ended[0]++;
                List<byte[]> read = new ArrayList<>();
                try (NameFileReader in = NameFileReader.open(image.resolve("names.gpn"))) {
                    for (byte[] each = in.next(); each != null; each = in.next()) {
                        read.add(each);
                    }
                }
                assertThat(read).as(where).hasSize(NAMES);
                for (int i = 0; i < NAMES; i++) {
                    assertThat(read.get(i)).as(where).isEqualTo(image(i));
                }
            }
        });
        assertThat(ended[0]).as("cuts behind the end").isPositive();
    }

    /** The process whose power is lost. */
    static final class NamesChild {
        private NamesChild() {}

        /** Argument: folder. */
        public static void main(String[] args) throws IOException {
            Path root = Path.of(args[0]);
            Marks marks = new Marks(root);
            try (NameFileWriter out = NameFileWriter.create(root.resolve("names.gpn"))) {
                for (int i = 0; i < NAMES; i++) {
                    out.write(image(i));
                }
                out.end();
                marks.say('E', NAMES, 0, 0);
            }
        }
    }
}
