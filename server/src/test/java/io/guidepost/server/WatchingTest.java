package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The board for Grafana and the alerts for Prometheus speak of metrics that there are, and the runbook of each alert. */
class WatchingTest {
    private static final Path FOLDER = Path.of("..", "observability");
    private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
    private static final Pattern NAME = Pattern.compile("\\b(?:guidepost|process)_[a-z_]+");
    private static final Pattern ALERT = Pattern.compile("alert: (\\w+)");
    private static final Pattern PAGE_NAME = Pattern.compile("^\\| `((?:guidepost|process)_[a-z_]+)`", Pattern.MULTILINE);

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results()
                .map((MatchResult each) -> each.group(pattern.matcher("").groupCount()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> alerts() throws IOException {
        return found(ALERT, text(FOLDER.resolve("alerts.yml")));
    }

    /** {@code MetricsPageTest} holds the page against a running server. */
    @Test
    void boardAndAlertsSpeakOfMetricsThatThereAre() throws Exception {
        Set<String> told = found(PAGE_NAME, text(Path.of("..", "docs", "metrics.md")));
        for (String file : List.of("guidepost-board.json", "alerts.yml", "alerts-test.yml")) {
            Set<String> spoken = found(NAME, text(FOLDER.resolve(file)));
            assertThat(spoken).as(file).hasSizeGreaterThan(15);
            assertThat(spoken).as(file).allSatisfy(each -> assertThat(told).contains(each.replaceAll("_bucket$", "")));
        }
    }

    @Test
    void theBoardIsJson() throws Exception {
        String board = text(FOLDER.resolve("guidepost-board.json"));
        assertThat(JsonValue.read(board.getBytes(StandardCharsets.UTF_8))).isInstanceOf(JsonValue.Members.class);
    }

    @Test
    void theRunbookSaysOfEachAlertWhatItMeansHowToSeeItAndWhatToDo() throws Exception {
        String page = text(Path.of("..", "docs", "runbook.md"));
        for (String alert : alerts()) {
            assertThat(page).containsPattern(
                    "## " + alert + "\n\n- \\*\\*Meaning\\*\\*: [^#]*- \\*\\*See\\*\\*: (?:[^#]|\\.md#)*- \\*\\*Do\\*\\*: ");
            assertThat(text(FOLDER.resolve("alerts.yml"))).contains("runbook: docs/runbook.md#" + alert.toLowerCase(Locale.ROOT));
        }
    }

    @Test
    void eachAlertRingsInACaseOfItsOwn() throws Exception {
        assertThat(found(Pattern.compile("alertname: (\\w+)"), text(FOLDER.resolve("alerts-test.yml")))).isEqualTo(alerts());
        promtool("check", "rules", "alerts.yml");
        promtool("test", "rules", "alerts-test.yml");
    }

    private static void promtool(String... arguments) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(PROMTOOL), "promtool is needed (apt: prometheus)");
        List<String> command = new ArrayList<>(List.of(PROMTOOL.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).directory(FOLDER.toFile()).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
