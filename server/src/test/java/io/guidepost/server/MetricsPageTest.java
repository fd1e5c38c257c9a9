package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.alto.proxidor.ProxidorCount;
import io.guidepost.alto.proxidor.ProxidorFault;
import io.guidepost.alto.tips.TipsCount;
import io.guidepost.alto.update.UpdateCount;
import io.guidepost.dns.DnsCount;
import io.guidepost.dns.transfer.TransferCount;
import io.guidepost.dns.wire.DnsFault;
import io.guidepost.fleet.StatementCount;
import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.wire.GnrsParseResult;
import io.guidepost.handle.door.HandleCount;
import io.guidepost.handle.message.MessagePacketCount;
import io.guidepost.handle.record.GuidDerivationCount;
import io.guidepost.handle.redirector.RedirectorCount;
import io.guidepost.handle.rest.RestCount;
import io.guidepost.handle.service.HandleServiceCount;
import io.guidepost.handle.template.TemplateCount;
import io.guidepost.naming.NamingCount;
import io.guidepost.packet.Drop;
import io.guidepost.packet.ip.InterfaceCount;
import io.guidepost.scaffold.gateway.ZoneCount;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.metrics.LossCause;
import io.guidepost.scaffold.object.ObjectCount;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.server.cli.scaffold.EmptyGateway;
import io.guidepost.server.fleet.FrontEndCount;
import io.guidepost.server.http.ConnectionCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/metrics.md} is what a running server tells and what the enums of counters say of themselves: every label value
 * of a page is a constant with a sentence, and every constant is a label value of a page. With the environment variable
 * {@code TEST_REWRITE} set, this test writes the page anew.
 */
class MetricsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "metrics.md");
    private static final Pattern CONSTANT =
            Pattern.compile("/\\*\\* ((?:(?!\\*/).)*?) ?\\*/\\s+([A-Z][A-Z0-9_]+)(?=[,;(\\s}])", Pattern.DOTALL);
    private static final Pattern LABEL = Pattern.compile("([a-z]+)=\"([^\"]*)\"");

    /** The enums of counters, by the metric whose name begins theirs. */
    private static final Map<Class<? extends Enum<?>>, List<String>> COUNTERS = Map.ofEntries(
            Map.entry(GnrsCount.class, List.of("guidepost_gnrs_")),
            Map.entry(GnrsParseResult.class, List.of("guidepost_gnrs_malformed_")),
            Map.entry(PeerCount.class, List.of("guidepost_peer_")),
            Map.entry(ProxidorCount.class, List.of("guidepost_proxidor_")),
            Map.entry(ProxidorFault.class, List.of("guidepost_proxidor_malformed_")),
            Map.entry(ObjectCount.class, List.of("guidepost_scaffold_")),
            Map.entry(ControlFault.class, List.of("guidepost_scaffold_malformed_")),
            Map.entry(DnsCount.class, List.of("guidepost_dns_")),
            Map.entry(TransferCount.class, List.of("guidepost_dns_")),
            Map.entry(DnsFault.class, List.of("guidepost_dns_malformed_")),
            Map.entry(FlowCount.class, List.of("guidepost_gateway_")),
            Map.entry(LossCause.class, List.of("guidepost_gateway_resumed_", "guidepost_gateway_reset_")),
            Map.entry(ZoneCount.class, List.of("guidepost_gateway_dns_")),
            Map.entry(HandleCount.class, List.of("guidepost_handle_udp_")),
            Map.entry(MessagePacketCount.class, List.of("guidepost_handle_udp_")),
            Map.entry(HandleServiceCount.class, List.of("guidepost_handle_")),
            Map.entry(GuidDerivationCount.class, List.of("guidepost_handle_")),
            Map.entry(TemplateCount.class, List.of("guidepost_handle_")),
            Map.entry(RestCount.class, List.of("guidepost_handle_rest_")),
            Map.entry(RedirectorCount.class, List.of("guidepost_handle_redirector_")),
            Map.entry(ConnectionCounter.class, List.of("guidepost_handle_", "guidepost_alto_", "guidepost_dns_", "guidepost_names_")),
            Map.entry(NamingCount.class, List.of("guidepost_names_")),
            Map.entry(UpdateCount.class, List.of("guidepost_alto_update_")),
            Map.entry(TipsCount.class, List.of("guidepost_alto_tips_")),
            Map.entry(FrontEndCount.class, List.of("guidepost_fleet_")),
            Map.entry(StatementCount.class, List.of("guidepost_fleet_")),
            Map.entry(Drop.class, List.of("guidepost_port_drops_")));

    private static final Map<String, String> CHAPTERS = chapters();

    private static final String BEGINNING =
            """
            # Metrics

            `GET /metrics` on the admin port (127.0.0.1:5080 by default) gives OpenMetrics text; `guidepost top` shows the same
            names. Each family has one unit, so that its sum means something; the sum of `guidepost_gnrs_requests_total`, for one,
            is that of `guidepost_gnrs_responses_total` and `guidepost_gnrs_drops_total`, but for the requests in flight.
            Histograms have buckets that double. Besides the labels explained below there are `worker`, `port`, `queue`,
            `direction` and `peer` (the name of another server; the first 100 by name have samples of their own). This page is
            checked against a running server by `MetricsPageTest`. A gateway gives its own, those of ports and workers and those of the
            process (`guidepost scaffold gateway --metrics PORT`, `guidepost scaffold top`).

            Alerts, a board, and what to do: [runbook.md](runbook.md).
            """;

    @TempDir
    private Path folder;

    private record Family(String name, String type, String help, Set<String> labels) {}

    private static Map<String, String> chapters() {
        Map<String, String> chapters = new LinkedHashMap<>();
        chapters.put("Ports and workers", "guidepost_(?:port|device|worker)_.*");
        chapters.put("GNRS", "guidepost_gnrs_.*");
        chapters.put("Other servers of the deployment", "guidepost_peers?(?:_.*)?");
        chapters.put("Handle", "guidepost_handle_.*");
        chapters.put("Proxidor", "guidepost_proxidor_.*");
        chapters.put("SCAFFOLD", "guidepost_scaffold_.*");
        chapters.put("DNS", "guidepost_dns_.*");
        chapters.put("Gateways of SCAFFOLD", "guidepost_gateway_.*");
        chapters.put("ALTO", "guidepost_alto_.*");
        chapters.put("Names over HTTP", "guidepost_names_.*");
        chapters.put("Topology and feeds", "guidepost_(?:topology|feeds?)_.*");
        chapters.put("Store", "guidepost_store_.*");
        chapters.put("Front ends of a fleet", "guidepost_fleet_.*");
        chapters.put("The process", ".*");
        return chapters;
    }

    private String metrics() throws Exception {
        try (RunningServer server = RunningServer.start(
                folder,
                "handle.enabled=true",
                "proximity.bgp-listen=127.0.0.1:0",
                "proximity.bgp-peers=127.0.0.1",
                "scaffold.enabled=true",
                "scaffold.listen=127.0.0.1",
                "scaffold.port=0",
                "scaffold.folder=" + folder.resolve("scaffold"),
                "dns.enabled=true",
                "dns.zone=names.example",
                "dns.listen=127.0.0.1",
                "dns.port=0",
                "proxidor.enabled=true",
                "proxidor.listen=127.0.0.1",
                "proxidor.port=0",
                "names.enabled=true",
                "names.listen=127.0.0.1",
                "names.http-port=0",
                "names.folder=" + folder.resolve("names"),
                "alto.enabled=true",
                "alto.listen=127.0.0.1",
                "alto.http-port=0",
                "alto.folder=" + folder.resolve("alto"),
                "handle.listen=127.0.0.1",
                "handle.udp-port=0",
                "handle.tcp-port=0",
                "handle.http-port=0",
                "handle.folder=" + folder.resolve("handle"))) {
            return server.page("/metrics");
        }
    }

    /** Returns what only a server of a fleet tells; its cluster is away. */
    private List<Family> ofAFleet() throws Exception {
        try (RunningServer server = RunningServer.start(
                folder.resolve("fleet"), "store.engine=cassandra", "fleet.contact-points=127.0.0.1:1")) {
            return families(server.page("/metrics")).stream().filter(each -> each.name().startsWith("guidepost_fleet_")).toList();
        }
    }

    private static List<Family> families(String page) {
        List<Family> families = new ArrayList<>();
        String name = "";
        String type = "";
        for (String line : page.lines().toList()) {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# TYPE ")) {
                name = words[2];
                type = words[3];
            } else if (line.startsWith("# HELP ")) {
                families.add(new Family(name, type, words[3], new LinkedHashSet<>()));
            } else if (!line.startsWith("#") && line.contains("{")) {
                families.getLast().labels().add(line.substring(line.indexOf('{') + 1, line.lastIndexOf('}')));
            }
        }
        return families;
    }

    /**
     * What each sample of an enum's counters means, by the name of the metric and the values of its labels; empty where another
     * metric's says it already.
     */
    private static Map<String, String> meanings() throws IOException {
        Map<String, String> meanings = new LinkedHashMap<>();
        for (Map.Entry<Class<? extends Enum<?>>, List<String>> each : COUNTERS.entrySet()) {
            for (String prefix : each.getValue()) {
                boolean told = !prefix.equals(each.getValue().getFirst());
                constants(each.getKey()).forEach((constant, meaning) ->
                        assertThat(meanings.put(prefix + constant, told ? "" : meaning)).as(prefix + constant).isNull());
            }
        }
        return meanings;
    }

    private static Map<String, String> constants(Class<? extends Enum<?>> type) throws IOException {
        String name = type.getName();
        Path source = Path.of("..", name.split("\\.", -1)[2], "src/main/java", name.replace('.', '/') + ".java");
        Map<String, String> constants = new LinkedHashMap<>();
        for (MatchResult each : CONSTANT.matcher(Files.readString(source, StandardCharsets.UTF_8)).results().toList()) {
            if (!List.of("OK", "NONE").contains(each.group(2))) {
                constants.put(
                        each.group(2).toLowerCase(Locale.ROOT),
                        each.group(1).replaceAll("\\s+\\* ?", " ").replaceAll("\\{@(?:link #?|code )([^}]+)}", "$1"));
            }
        }
        return constants;
    }

    /** Returns whether the values of a label are not those of an enum. */
    private static boolean isPlain(Family family, String label) {
        return List.of("worker", "port", "queue").contains(label)
                || label.equals("direction") && family.name().startsWith("guidepost_port_");
    }

    /** Rows of a family: its own, and one for each value of its labels that an enum explains, which are taken. */
    private static String rows(Family family, Map<String, String> meanings) {
        String suffix = family.type().equals("counter") ? "_total" : family.type().equals("info") ? "_info" : "";
        StringBuilder rows = new StringBuilder();
        rows.append("| `").append(family.name()).append(suffix).append("` | ").append(family.type()).append(" | ")
                .append(family.help()).append(" |\n");
        meanings.remove(family.name());
        boolean ofEnum = family.type().equals("counter")
                && meanings.keySet().stream().anyMatch(each -> each.startsWith(family.name() + "_"));
        Map<String, String> samples = new LinkedHashMap<>();
        for (String labels : family.labels()) {
            List<MatchResult> own = LABEL.matcher(labels).results()
                    .filter(each -> !isPlain(family, each.group(1)))
                    .toList();
            if (ofEnum && !own.isEmpty()) {
                samples.put(
                        own.stream().map(MatchResult::group).collect(Collectors.joining(",")),
                        family.name() + "_" + own.stream().map(each -> each.group(2)).collect(Collectors.joining("_")));
            }
        }
        samples.forEach((labels, counter) -> {
            String meaning = meanings.remove(counter);
            assertThat(meaning).as("what %s{%s} means", family.name(), labels).isNotNull();
            if (!meaning.isEmpty()) {
                rows.append("| `").append(labels).append("` | | ").append(meaning).append(" |\n");
            }
        });
        return rows.toString();
    }

    private static String page(List<Family> families) throws IOException {
        Map<String, String> meanings = meanings();
        Map<String, StringBuilder> chapters = new LinkedHashMap<>();
        CHAPTERS.keySet().forEach(each -> chapters.put(each, new StringBuilder()));
        for (Family family : families) {
            String chapter = CHAPTERS.entrySet().stream()
                    .filter(each -> family.name().matches(each.getValue()))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElseThrow();
            chapters.computeIfAbsent(chapter, _ -> new StringBuilder()).append(rows(family, meanings));
        }
        assertThat(meanings.keySet()).as("counters that are no sample").isEmpty();
        StringBuilder page = new StringBuilder(BEGINNING);
        chapters.forEach((title, rows) -> page.append("\n## ").append(title).append("\n\n| metric, label | type | meaning |\n")
                .append("|---|---|---|\n").append(rows));
        page.append("\n## What a host at layer 2 counts: `guidepost_device_counter_total{port=\"host:...\",name=...}`\n\n")
                .append("| name | meaning |\n|---|---|\n");
        constants(InterfaceCount.class)
                .forEach((name, meaning) -> page.append("| `").append(name).append("` | ").append(meaning).append(" |\n"));
        return page.toString();
    }

    @Test
    void thePageIsWhatTheServerTells() throws Exception {
        List<Family> families = families(metrics());
        families.addAll(families(EmptyGateway.metrics()));
        families.addAll(ofAFleet());
        assertThat(families).as("families that mix units").noneMatch(each -> each.name().endsWith("_events"));
        String page = page(families);
        if (System.getenv("TEST_REWRITE") != null) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).as("run this test with TEST_REWRITE=1 to write it anew").hasContent(page);
    }
}
