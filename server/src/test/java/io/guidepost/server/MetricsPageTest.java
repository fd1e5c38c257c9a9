package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.alto.proxidor.ProxidorCount;
import io.guidepost.alto.tips.TipsCount;
import io.guidepost.alto.update.UpdateCount;
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
import io.guidepost.packet.Drop;
import io.guidepost.packet.ip.InterfaceCount;
import io.guidepost.server.http.ConnectionCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/metrics.md} is what a running server tells and what the enums of events and reasons say of themselves.
 * With the environment variable {@code GUIDEPOST_REWRITE} set, this test writes the page anew.
 */
class MetricsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "metrics.md");
    private static final Pattern ROW =
            Pattern.compile("/\\*\\* ((?:(?!\\*/).)*?) ?\\*/\\s+([A-Z][A-Z0-9_]+)(?=[,;(\\s}])", Pattern.DOTALL);

    @TempDir
    private Path folder;

    private String families() throws Exception {
        StringBuilder table = new StringBuilder("| metric | type | what it tells |\n|---|---|---|\n");
        try (RunningServer server = RunningServer.start(
                folder,
                "handle.enabled=true",
                "proximity.bgp-listen=127.0.0.1:0",
                "proximity.bgp-peers=127.0.0.1",
                "proxidor.enabled=true",
                "proxidor.listen=127.0.0.1",
                "proxidor.port=0",
                "alto.enabled=true",
                "alto.listen=127.0.0.1",
                "alto.http-port=0",
                "alto.folder=" + folder.resolve("alto"),
                "handle.listen=127.0.0.1",
                "handle.udp-port=0",
                "handle.tcp-port=0",
                "handle.http-port=0",
                "handle.folder=" + folder.resolve("handle"))) {
            String type = "";
            for (String line : server.page("/metrics").lines().toList()) {
                String[] words = line.split(" ", 4);
                if (line.startsWith("# TYPE ")) {
                    type = words[3];
                } else if (line.startsWith("# HELP ")) {
                    table.append("| `").append(words[2]).append("` | ").append(type).append(" | ").append(words[3])
                            .append(" |\n");
                }
            }
        }
        return table.toString();
    }

    private static String rows(Class<? extends Enum<?>> type, String head) throws IOException {
        String name = type.getName();
        Path source = Path.of("..", name.split("\\.", -1)[2], "src/main/java", name.replace('.', '/') + ".java");
        String text = Files.readString(source, StandardCharsets.UTF_8);
        StringBuilder table = new StringBuilder("| " + head + " | meaning |\n|---|---|\n");
        for (MatchResult each : ROW.matcher(text).results().toList()) {
            if (!each.group(2).equals("OK")) {
                table.append("| `").append(each.group(2).toLowerCase(Locale.ROOT)).append("` | ")
                        .append(each.group(1).replaceAll("\\s+\\* ?", " ").replaceAll("\\{@link #?([^}]+)}", "$1"))
                        .append(" |\n");
            }
        }
        return table.toString();
    }

    private String page() throws Exception {
        return "# Metrics\n\n"
                + "`GET /metrics` on the admin port (127.0.0.1:5080 by default) gives OpenMetrics text. Counters end in"
                + " `_total`, histograms have buckets that double. The labels are `worker`, `queue`, `port`,"
                + " `direction`, `site` (the name of another server; the first 100 by name have samples of their own), and"
                + " those explained below. This page is checked against a running server by"
                + " `MetricsPageTest`.\n\n"
                + families()
                + "\n## Events of the GNRS door: `guidepost_gnrs_events_total{event=...}`\n\n"
                + rows(GnrsCount.class, "event")
                + "\n## Malformed messages: `guidepost_gnrs_malformed_total{reason=...}`\n\n"
                + rows(GnrsParseResult.class, "reason")
                + "\n## Traffic with other servers: `guidepost_site_events_total{event=...}`\n\n"
                + rows(PeerCount.class, "event")
                + "\n## Connections of the Handle door and of ALTO: `guidepost_handle_connection_events_total{event=...}`,"
                + " `guidepost_alto_connection_events_total{event=...}`\n\n"
                + rows(ConnectionCounter.class, "event")
                + "\n## Update streams of ALTO: `guidepost_alto_update_events_total{event=...}`\n\n"
                + rows(UpdateCount.class, "event")
                + "\n## Views of ALTO (TIPS): `guidepost_alto_tips_events_total{event=...}`\n\n"
                + rows(TipsCount.class, "event")
                + "\n## Datagrams of Proxidor: `guidepost_proxidor_events_total{event=...}`\n\n"
                + rows(ProxidorCount.class, "event")
                + "\n## Datagrams of the Handle door: `guidepost_handle_datagram_events_total{event=...}`\n\n"
                + rows(HandleCount.class, "event")
                + "\n## Messages of the Handle door in several packets: `guidepost_handle_packet_events_total{event=...}`\n\n"
                + rows(MessagePacketCount.class, "event")
                + "\n## The service of handles: `guidepost_handle_service_events_total{event=...}`\n\n"
                + rows(HandleServiceCount.class, "event")
                + "\n## Places of handles among the GUIDs: `guidepost_handle_places_events_total{event=...}`\n\n"
                + rows(GuidDerivationCount.class, "event")
                + "\n## The JSON interface of handles: `guidepost_handle_rest_events_total{event=...}`\n\n"
                + rows(RestCount.class, "event")
                + "\n## Browsers at the Handle door: `guidepost_handle_browser_events_total{event=...}`\n\n"
                + rows(RedirectorCount.class, "event")
                + "\n## Templates of handles: `guidepost_handle_template_events_total{event=...}`\n\n"
                + rows(TemplateCount.class, "event")
                + "\n## Datagrams dropped by a port: `guidepost_port_drops_total{reason=...}`\n\n"
                + rows(Drop.class, "reason")
                + "\n## What a host at layer 2 counts: `guidepost_device_counter_total{port=\"host:...\",name=...}`\n\n"
                + rows(InterfaceCount.class, "name");
    }

    @Test
    void thePageIsWhatTheServerTells() throws Exception {
        String page = page();
        if (System.getenv("GUIDEPOST_REWRITE") != null) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).as("run this test with GUIDEPOST_REWRITE=1 to write it anew").hasContent(page);
    }
}
