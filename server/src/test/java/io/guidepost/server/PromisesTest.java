package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of promises names tests that there are, and every promise that is broken on purpose. */
class PromisesTest {
    private static final Pattern TEST = Pattern.compile("\\b[A-Z]\\w*Test\\b");
    private static final Pattern MUTANT = Pattern.compile("`([a-z]+(?:-[a-z]+)+)`");
    private static final Pattern ENTRY = Pattern.compile("(?m)^# ([a-z-]+) ");

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(each -> each.group(each.groupCount()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void eachHasATestThatIsThere() throws IOException {
        String page = Files.readString(ProjectSources.ROOT.resolve("docs/promises.md"));
        assertThat(found(TEST, page))
                .isNotEmpty()
                .isSubsetOf(ProjectSources.of("test").stream()
                        .map(each -> each.getFileName().toString().replace(".java", ""))
                        .toList());
        assertThat(found(MUTANT, page)).isEqualTo(found(ENTRY, Files.readString(ProjectSources.ROOT.resolve("tools/mutants.txt"))));
    }

    /** A mutant whose text is gone would break nothing: what it changes stands in its source, once. */
    @Test
    void eachMutantFindsWhatItBreaks() throws IOException {
        String file = "";
        StringBuilder text = new StringBuilder();
        for (String line : (Files.readString(ProjectSources.ROOT.resolve("tools/mutants.txt")) + "\n#").lines().toList()) {
            if (line.startsWith("- ")) {
                text.append(line.substring(2)).append('\n');
                continue;
            }
            if (!text.isEmpty()) {
                String source = Files.readString(ProjectSources.ROOT.resolve(file));
                assertThat(source.split(Pattern.quote(text.substring(0, text.length() - 1)), -1))
                        .as("%s: %s", file, text)
                        .hasSize(2);
                text.setLength(0);
            }
            if (line.startsWith("in ")) {
                file = line.substring(3).strip();
            }
        }
    }
}
