package io.guidepost.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The code blocks of the documentation are regions of the examples, those of the clients among them, which are compiled and run.
 * A region stands between {@code // snippet: NAME} and {@code // end} (in Python behind {@code #}); on the page
 * {@code <!-- snippet: NAME -->} stands before the block. With the environment variable {@code TEST_REWRITE} set, this test writes
 * the blocks anew.
 */
class SnippetsTest {
    private static final List<Path> SOURCES = Stream.of(
                    "src/main/java", "../clients/python/examples", "../clients/go/tour", "../clients/js/examples")
            .map(Path::of).toList();

    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern REGION = Pattern.compile("(?m)^\\s*(?://|#) snippet: (\\S+)\n((?s).*?)^\\s*(?://|#) end$");
    private static final Pattern BLOCK = Pattern.compile("<!-- snippet: (\\S+) -->\n```(java|python|go|js)\n((?s).*?)```");

    private static Map<String, String> regions() throws IOException {
        Map<String, String> regions = new TreeMap<>();
        for (Path folder : SOURCES) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(each -> each.toString().matches(".*\\.(java|py|go|mjs)")).toList()) {
                    for (MatchResult each : REGION.matcher(Files.readString(file)).results().toList()) {
                        boolean java = file.toString().endsWith(".java");
                        String text = java ? each.group(2) : each.group(2).stripTrailing().stripIndent() + "\n";
                        String before = regions.put(each.group(1), text);
                        assertThat(before).as("two regions " + each.group(1)).isNull();
                    }
                }
            }
        }
        return regions;
    }

    private static String withRegions(String page, Map<String, String> regions) {
        return BLOCK.matcher(page).replaceAll(each -> {
            assertThat(regions).as("regions of the examples").containsKey(each.group(1));
            return Matcher.quoteReplacement(
                    "<!-- snippet: " + each.group(1) + " -->\n```" + each.group(2) + "\n" + regions.get(each.group(1)) + "```");
        });
    }

    @Test
    void codeBlocksAreRegionsOfTheExamples() throws IOException {
        Map<String, String> regions = regions();
        StringBuilder shown = new StringBuilder();
        for (String name : List.of("clients.md", "java-api.md", "packet.md")) {
            Path page = DOCS.resolve(name);
            String text = Files.readString(page);
            String expected = withRegions(text, regions);
            if (System.getenv("TEST_REWRITE") != null) {
                Files.writeString(page, expected, StandardCharsets.UTF_8);
                text = expected;
            }
            assertThat(text).as(name + "; TEST_REWRITE=1 writes it anew").isEqualTo(expected);
            shown.append(text);
        }
        assertThat(regions.keySet()).as("regions that a page shows").allMatch(each -> shown.indexOf("snippet: " + each + " ") > 0);
    }

    @Test
    void thePageOfTheApiHasNoOtherCode() throws IOException {
        String rest = BLOCK.matcher(Files.readString(DOCS.resolve("java-api.md"))).replaceAll("");
        assertThat(rest.lines().filter(each -> each.startsWith("```java") || each.startsWith("    "))).isEmpty();
    }
}
