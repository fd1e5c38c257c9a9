package io.guidepost.server.cli.scaffold;

import io.guidepost.base.Counters;
import io.guidepost.scaffold.gateway.Gateway;
import io.guidepost.scaffold.gateway.GatewayStatus;
import io.guidepost.scaffold.gateway.GatewayWay;
import io.guidepost.scaffold.gateway.ZoneCount;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.metrics.FlowTally;
import io.guidepost.scaffold.metrics.LossCause;
import io.guidepost.server.BuildInfo;
import io.guidepost.server.admin.AdminPort;
import io.guidepost.server.metrics.CounterFamilies;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.metrics.JvmMetrics;
import io.guidepost.server.metrics.PortMetrics;
import io.guidepost.server.service.ConditionMonitor;
import io.guidepost.server.service.HealthCondition;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a running gateway tells of itself: its metrics, and whether it is well. Thread-safe. */
final class GatewayMetrics implements AutoCloseable {
    private static final CounterFamilies<FlowCount> FLOWS = new CounterFamilies<>(FlowCount.class, "guidepost_gateway_")
            .family("packets_sent_labelled", "Those of the packets sent that were carried by labels, the others by UDP.")
            .family("packets_offloaded", "Packets that the kernel has labelled or unlabelled by itself, of both directions.")
            .family("errors_passed", "Errors of routers about packets with labels, of which the local kernel was told.")
            .family("packets_sent_sealed", "Those of the packets sent that were sealed.")
            .family("packets", "Packets of programs, into carriages and out of them.", "direction")
            .family("bytes", "Bytes of those packets.", "direction")
            .family("flows", "Flows, by what has become of them.", "event")
            .family("peers_forgotten", "Hosts without a flow that were forgotten, as others came.")
            .family("keys_changed", "Changes of what was agreed with another host, as one of the two uses another key of the hour.")
            .family("paths_changed", "Changes of the path to another host, by cause.", "cause")
            .family("probes_sent", "Probes of paths.")
            .family("segments_held_sent", "Segments that were sent again after an outage.")
            .family("bounds", "Times that a bound was reached, by bound; drops by bounds are among the drops.", "bound")
            .family("drops", "Packets and datagrams dropped, by reason.", "reason");

    private static final CounterFamilies<ZoneCount> ZONE = new CounterFamilies<>(ZoneCount.class, "guidepost_gateway_dns_")
            .family("questions", "Questions of DNS that were read. Each ends as an answer.")
            .family("answers", "Answers of DNS, by what they say.", "outcome")
            .family("drops", "Datagrams to the gateway's DNS dropped, by reason.", "reason");

    private final Gateway gateway;
    private final ConditionMonitor conditions;

    GatewayMetrics(Gateway gateway) {
        this.gateway = gateway;
        this.conditions = new ConditionMonitor(this::conditions);
        conditions.start();
    }

    private List<HealthCondition> conditions() {
        try {
            return conditions(gateway.status());
        } catch (IOException e) {
            return List.of(new HealthCondition("gateway-stuck", String.valueOf(e.getMessage()), false));
        }
    }

    /** Returns what is not as it should be. */
    static List<HealthCondition> conditions(GatewayStatus status) {
        List<HealthCondition> all = new ArrayList<>();
        int silent = status.now().routers() - status.now().routersJoined();
        if (silent > 0) {
            boolean joined = status.now().routersJoined() > 0;
            String what = silent + " of " + status.now().routers() + " object routers do not answer";
            all.add(new HealthCondition(joined ? "gateway-router-silent" : "gateway-not-joined", what, joined));
        }
        if (status.ways().stream().noneMatch(GatewayWay::up)) {
            all.add(new HealthCondition("gateway-no-link", "no link with an own address is up", false));
        }
        long lost = status.tally().counts().get(FlowCount.BOUNDS_FLOWS_KEPT);
        if (lost > 0) {
            all.add(new HealthCondition("gateway-flows-not-kept", lost + " flows do not outlive this process", true));
        }
        return all;
    }

    /** Returns OpenMetrics text. */
    String text() throws IOException {
        Exposition out = new Exposition();
        out.info("guidepost_build", "Which Guidepost this is.")
                .sample(1, "version", BuildInfo.VERSION, "java", Runtime.version().toString());
        GatewayStatus status = gateway.status();
        new PortMetrics(status.ports(), status.workers(), List.of()).write(out);
        write(out, status);
        conditions.write(out);
        JvmMetrics.write(out);
        return out.finish();
    }

    /** Writes what is the gateway's own. */
    static void write(Exposition out, GatewayStatus status) {
        FlowTally tally = status.tally();
        FLOWS.write(out, tally.counts()::get);
        causes(out.counter("guidepost_gateway_resumed", "Flows that went on at another instance, by why they had lost theirs."),
                tally.resumed());
        causes(out.counter("guidepost_gateway_reset", "Flows that were reset, by why they had lost their instance."), tally.reset());
        out.histogram("guidepost_gateway_outage_seconds", "From the loss of an instance until the next one's bytes could go on.")
                .doubling(tally.outageNanos().counts(), 1e-9, tally.outageNanos().sum() / 1e9);
        ZONE.write(out, status.zone()::get);
        out.gauge("guidepost_gateway_open_flows", "Flows that there are, those included that end.").sample(status.now().flows());
        out.gauge("guidepost_gateway_kept_bytes", "Bytes that all flows keep of requests, behind gaps, of next instances; 64 MiB at most.")
                .sample(status.now().keptBytes());
        out.gauge("guidepost_gateway_hosts", "Other hosts, by whether a flow leads to them.")
                .sample(status.now().hostsWithFlows(), "state", "with_flows")
                .sample(status.now().hosts() - status.now().hostsWithFlows(), "state", "idle");
        out.gauge("guidepost_gateway_routers", "Object routers, by whether they know this host.")
                .sample(status.now().routersJoined(), "state", "heard")
                .sample(status.now().routers() - status.now().routersJoined(), "state", "silent");
        long up = status.ways().stream().filter(GatewayWay::up).count();
        out.gauge("guidepost_gateway_links", "Own addresses, by whether their link is up.")
                .sample(up, "state", "up")
                .sample(status.ways().size() - up, "state", "down");
    }

    private static void causes(Exposition out, Counters<LossCause> counts) {
        for (LossCause each : LossCause.values()) {
            out.sample(counts.get(each), "cause", Exposition.name(each));
        }
    }

    /** Returns whether it is well, and if not, why. */
    Map<String, Object> health() {
        List<HealthCondition> reasons = conditions.look();
        boolean ready = reasons.stream().allMatch(HealthCondition::ready);
        return JsonWriter.object(
                "status", !ready ? "failing" : reasons.isEmpty() ? "ok" : "degraded",
                "ready", ready,
                "reasons", reasons.stream()
                        .map(each -> JsonWriter.object("condition", each.name(), "detail", each.detail(), "ready", each.ready()))
                        .toList());
    }

    /** Adds the pages of a port that only tells. */
    AdminPort pages(AdminPort port) {
        return port.get("/metrics", _ -> HttpResponse.of(200, Exposition.CONTENT_TYPE, text())).get("/health", _ -> {
            Map<String, Object> told = health();
            return AdminPort.json(Boolean.TRUE.equals(told.get("ready")) ? 200 : 503, told);
        });
    }

    @Override
    public void close() {
        conditions.close();
    }
}
