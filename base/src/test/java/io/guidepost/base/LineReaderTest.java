package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.Test;

/** Lines and fields against what splitting the whole text gives. */
class LineReaderTest {
    private static List<String> read(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        try (LineReader reader = LineReader.of("t", in)) {
            while (reader.nextLine()) {
                StringBuilder line = new StringBuilder().append(reader.line());
                do {
                    line.append('|').append(reader.field());
                } while (reader.nextField());
                lines.add(line.toString());
            }
        }
        return lines;
    }

    private static List<String> split(String text) {
        List<String> lines = new ArrayList<>();
        String[] all = text.split("\n", -1);
        for (int i = 0; i < all.length; i++) {
            String plain = all[i].replaceFirst("(?s)#.*", "").strip();
            if (!plain.isEmpty()) {
                lines.add((i + 1) + "|" + String.join("|", plain.split("[ \t\r]+", -1)));
            }
        }
        return lines;
    }

    /** Gives a few bytes at a time, as files and networks do. */
    private static InputStream trickle(String text, SplittableRandom random) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(length, random.nextInt(1, 9)));
            }
        };
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void readsWhatSplittingGives(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            text.append("a1.é:/ \t\n\r#".charAt(random.nextInt(11)));
        }
        assertThat(read(trickle(text.toString(), random))).isEqualTo(split(text.toString()));
    }

    @Test
    void linesMayBeLongAndManyBuffersOfThem() throws IOException {
        String line = "x".repeat(CommonLimits.LINE_BYTES_MAX - 1) + "\n";
        String comment = "#" + "y".repeat(5 * CommonLimits.LINE_BYTES_MAX) + "\n";
        String text = line.repeat(5) + comment + line + "z";
        assertThat(read(trickle(text, new SplittableRandom(1)))).isEqualTo(split(text));
    }

    @Test
    void aLineThatIsTooLongIsAFault() throws IOException {
        String text = "a\n" + "x".repeat(9 * CommonLimits.LINE_BYTES_MAX) + "\nb\n";
        try (LineReader reader = LineReader.of("t", trickle(text, new SplittableRandom(1)))) {
            assertThat(reader.nextLine()).isTrue();
            assertThat(reader.nextLine()).isTrue();
            assertThat(reader.field()).isEqualTo("b");
            assertThat(reader.line()).isEqualTo(3);
            assertThat(reader.nextLine()).isFalse();
            assertThatThrownBy(reader::check).isInstanceOf(FaultyFile.class).hasMessage("t:2: the line has more than 65536 bytes");
        }
    }

    @Test
    void nothingIsNoLine() throws IOException {
        assertThat(read(InputStream.nullInputStream())).isEmpty();
    }
}
