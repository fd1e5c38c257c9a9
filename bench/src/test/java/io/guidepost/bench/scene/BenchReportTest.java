package io.guidepost.bench.scene;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchReportTest {
    private static final BenchReport REPORT =
            new BenchReport("A \"title\"", List.of("", "rate"), List.of(List.of("us", "1,000"), List.of("them", "9")),
                    List.of("A note."));

    @Test
    void textStandsInColumns() {
        assertThat(REPORT.text()).isEqualTo("""
                A "title"

                       rate
                us    1,000
                them      9

                A note.
                """);
    }

    @Test
    void markdownNamesCommandAndMachine() {
        assertThat(REPORT.markdown("./guidepost bench c", "a machine")).isEqualTo("""

                ### A "title"

                `./guidepost bench c` \s
                a machine

                |  | rate |
                | --- | --- |
                | us | 1,000 |
                | them | 9 |

                - A note.
                """);
    }

    @Test
    void jsonQuotes() {
        assertThat(REPORT.json("c", "m\\n")).isEqualTo("""
                {
                  "title": "A \\"title\\"",
                  "command": "c",
                  "machine": "m\\\\n",
                  "rows": [
                    {"": "us", "rate": "1,000"},
                    {"": "them", "rate": "9"}
                  ],
                  "notes": ["A note."]
                }
                """);
    }
}
