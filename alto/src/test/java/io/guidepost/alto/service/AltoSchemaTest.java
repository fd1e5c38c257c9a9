package io.guidepost.alto.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.AltoTestTopology;
import io.guidepost.alto.client.AltoSample;
import io.guidepost.alto.cost.CostCalendar;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.map.TopologyMapBuilder;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.tips.TipsService;
import io.guidepost.alto.update.AltoSnapshotMonitor;
import io.guidepost.alto.update.JsonPatch;
import io.guidepost.alto.update.JsonTrees;
import io.guidepost.alto.update.PatchCache;
import io.guidepost.alto.update.UpdateContext;
import io.guidepost.alto.update.UpdateSources;
import io.guidepost.alto.update.UpdateStreams;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonValue;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every answer against JSON schemas that were written from the standards, and the schemas against what is broken. */
class AltoSchemaTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // Made by the test engine.
    private Path folder;

    private volatile AltoSnapshot now = AltoSnapshot.EMPTY;
    private final AltoSnapshotMonitor live = new AltoSnapshotMonitor(() -> now);

    @SuppressWarnings("NullAway.Init") // Made before each test.
    private AltoDispatcher service;

    @SuppressWarnings("NullAway.Init") // Made before each test.
    private AltoTestCaller asking;

    @BeforeEach
    void serve() throws Exception {
        now = AltoSample.information(folder, 1, 20);
        List<AltoResource> resources = ResourceCatalog.of(now, InstantSource.system());
        UpdateSources renderings = new UpdateSources(resources);
        PatchCache differences = new PatchCache();
        UpdateStreams streams =
                new UpdateStreams("updates", new UpdateContext(renderings, live, differences, () -> "s1", System::nanoTime));
        TipsService tips = new TipsService("tips", new UpdateContext(renderings, live, differences, () -> "v1", System::nanoTime));
        service = new AltoDispatcher(() -> now, resources, List.of(streams.route(), tips.route()));
        asking = new AltoTestCaller(service);
    }

    private static void valid(String message, AltoTestCaller.Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(message.equals("rfc7285#Error") ? 400 : 200);
        valid(message, answer.text());
    }

    private static void valid(String message, String text) {
        assertThat(AltoSchemas.faults(message, text)).as(message + " " + text).isEmpty();
    }

    private AltoTestCaller.Answer post(String id, String type, String body) {
        return asking.post("/" + id, type, body.replace('\'', '"'));
    }

    @Test
    void whatIsFetchedIsValid() {
        valid("rfc7285#Directory", asking.get("/directory"));
        valid("rfc7285#NetworkMap", asking.get("/net"));
        Map<String, JsonValue> listed = ((JsonValue.Members) Objects.requireNonNull(
                        asking.get("/directory").json().members().get("resources")))
                .members();
        Map<String, Integer> seen = new HashMap<>();
        listed.forEach((id, entry) -> {
            if (((JsonValue.Members) entry).members().containsKey("accepts")) {
                return;
            }
            AltoTestCaller.Answer answer = asking.get("/" + id);
            seen.merge(answer.type(), 1, Integer::sum);
            switch (answer.type()) {
                case AltoMediaType.NETWORK_MAP -> valid("rfc7285#NetworkMap", answer);
                case AltoMediaType.COST_MAP -> valid("rfc7285#CostMap", answer);
                case AltoMediaType.PROPERTY_MAP -> valid("rfc9240#PropertyMap", answer);
                default -> throw new AssertionError(id + " is " + answer.type());
            }
        });
        assertThat(seen).containsEntry(AltoMediaType.COST_MAP, 4).containsEntry(AltoMediaType.NETWORK_MAP, 1);
    }

    @Test
    void whatIsAskedForIsValid() {
        String type = "'cost-type':{'cost-mode':'numerical','cost-metric':'routingcost'}";
        String order = "'cost-type':{'cost-mode':'ordinal','cost-metric':'routingcost'}";
        String two = "'multi-cost-types':[{'cost-mode':'numerical','cost-metric':'routingcost'},"
                + "{'cost-mode':'numerical','cost-metric':'hopcount'}]";
        String endpoints = ",'endpoints':{'srcs':['ipv4:192.0.2.1','ipv6:2001:db8:1::1'],'dsts':['ipv4:198.51.100.1','ipv6:::1']}}";
        valid("rfc7285#NetworkMap", post("net-filtered", AltoMediaType.NETWORK_MAP_FILTER, "{'pids':['far','none']}"));
        valid("rfc7285#CostMap", post("net-costs", AltoMediaType.COST_MAP_FILTER, "{" + type + "}"));
        valid("rfc7285#CostMap", post("net-costs", AltoMediaType.COST_MAP_FILTER, "{" + order + ",'pids':{'srcs':['home'],'dsts':[]}}"));
        valid("rfc8189#CostMap", post("net-costs", AltoMediaType.COST_MAP_FILTER, "{" + two + "}"));
        valid("rfc7285#EndpointCosts", post("endpoint-costs", AltoMediaType.ENDPOINT_COST_PARAMS, "{" + type + endpoints));
        valid("rfc7285#EndpointCosts", post("endpoint-costs", AltoMediaType.ENDPOINT_COST_PARAMS, "{" + order + endpoints));
        valid("rfc8189#EndpointCosts", post("endpoint-costs", AltoMediaType.ENDPOINT_COST_PARAMS, "{" + two + endpoints));
        valid(
                "rfc7285#EndpointProperties",
                post("endpoint-properties", AltoMediaType.ENDPOINT_PROPERTY_PARAMS,
                        "{'properties':['net.pid','priv:kind'],'endpoints':['ipv4:192.0.2.7','ipv6:2001:db8:1::7']}"));
        valid("rfc7285#Error", post("net-costs", AltoMediaType.COST_MAP_FILTER, "{}"));
        valid("rfc7285#Error", post("net-costs", AltoMediaType.COST_MAP_FILTER, "{"));
        valid("rfc7285#Error", post("net-costs", AltoMediaType.COST_MAP_FILTER, "{'cost-type':1}"));
        valid("rfc7285#Error", post("net-costs", AltoMediaType.COST_MAP_FILTER, "{'cost-type':{'cost-mode':'fast','cost-metric':'x'}}"));
        valid("rfc7285#Error", asking.get("/nothing").text());
    }

    @Test
    void whatATopologySaysIsValid() throws Exception {
        CostCalendar calendar = new CostCalendar(3600, List.of(1.0, 2.0, 0.5));
        TopologyMapBuilder.Settings settings = AltoTestTopology.settings(
                true, new CostMetric("routingcost", Optional.empty(), Optional.of(calendar)), CostMetric.of("hopcount"));
        AltoSnapshot topology = TopologyMapBuilder.of(AltoTestTopology.ranking(), settings);
        AltoTestCaller of = new AltoTestCaller(
                new AltoDispatcher(() -> topology, ResourceCatalog.of(topology, InstantSource.system()), List.of()));
        valid("rfc7285#Directory", of.get("/directory"));
        valid("rfc7285#NetworkMap", of.get("/net"));
        String endpoints = "'endpoints':{'srcs':['ipv4:130.149.1.9'],'dsts':['ipv4:8.8.8.8','ipv4:130.149.2.1']}";
        String cost = "{'cost-type':{'cost-mode':'numerical','cost-metric':'routingcost'},'calendared':[true],";
        valid(
                "rfc8896#EndpointCosts",
                of.post("/endpoint-costs", AltoMediaType.ENDPOINT_COST_PARAMS, (cost + endpoints + "}").replace('\'', '"')));
        String path = "{'cost-type':{'cost-mode':'array','cost-metric':'ane-path'},"
                + "'ane-property-names':['max-reservable-bandwidth'],";
        AltoTestCaller.Answer parts = of.post(
                "/endpoint-paths", AltoMediaType.ENDPOINT_COST_PARAMS, (path + endpoints + "}").replace('\'', '"'));
        assertThat(parts.type()).startsWith(AltoMediaType.RELATED);
        String boundary = "--" + parts.type().replaceAll(".*boundary=([^;]*).*", "$1");
        String[] each = parts.text().split(boundary, -1);
        assertThat(each).hasSize(4);
        valid("rfc9240#Paths", each[1].substring(each[1].indexOf("\r\n\r\n")));
        valid("rfc9240#Elements", each[2].substring(each[2].indexOf("\r\n\r\n")));
    }

    @Test
    void viewsAreValid() throws Exception {
        valid("rfc9569#View", post("tips", AltoMediaType.TIPS_PARAMS, "{'resource-id':'net-num-routingcost'}"));
        now = AltoSample.information(folder, 2, 7);
        valid("rfc9569#Summary", post("tips/v1/ug", AltoMediaType.TIPS_PARAMS, "{}"));
        valid("rfc7285#CostMap", asking.get("/tips/v1/ug/0/2"));
        assertThat(asking.get("/tips/v1/ug/1/2").status()).isEqualTo(200);
        valid("rfc7285#Error", asking.get("/tips/v1/ug/1/5").text());
        valid("rfc7285#Error", post("tips", AltoMediaType.TIPS_PARAMS, "{}"));
    }

    @Test
    void eventsAreValid() throws Exception {
        String directory = asking.get("/directory").text();
        String capabilities = AltoTestCaller.written(member(member(member(AltoTestCaller.read(directory),
                "resources"), "updates"), "capabilities"));
        valid("rfc8895#Capabilities", capabilities);
        String add = "{'add':{'c':{'resource-id':'net-num-routingcost'},'n':{'resource-id':'net'}}}".replace('\'', '"');
        valid("rfc8895#Request", add);
        HttpResponse response = service.answer(new HttpRequest(
                "POST", "/updates", Map.of("content-type", List.of(AltoMediaType.UPDATE_STREAM_PARAMS)),
                add.getBytes(StandardCharsets.UTF_8), new InetSocketAddress(InetAddress.getLoopbackAddress(), 9), false,
                Optional.empty()));
        live.close();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ((HttpResponse.Stream) response.body()).writing().write(out);
        String[] events = out.toString(StandardCharsets.UTF_8).split("\n\n", -1);
        assertThat(events).hasSize(5);
        valid("rfc8895#Control", data(events[0]));
        valid("rfc7285#NetworkMap", data(events[1]));
        valid("rfc7285#CostMap", data(events[2]));
        valid("rfc8895#Control", data(events[3]));
        JsonValue patch = JsonPatch.diff(AltoTestCaller.read("{\"a/b\":[\"x\",\"y\"],\"c\":1}"), AltoTestCaller
                .read("{\"a/b\":[\"y\"],\"d\":2}"))
                .orElseThrow();
        valid("rfc8895#JsonPatch", new String(JsonTrees.bytes(patch), StandardCharsets.UTF_8));
    }

    private static JsonValue member(JsonValue of, String name) {
        return Objects.requireNonNull(((JsonValue.Members) of).members().get(name));
    }

    private static String data(String event) {
        return event.substring(event.indexOf("\ndata: ") + "\ndata: ".length());
    }

    /** What is broken; a schema that took it would prove nothing. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock = """
        rfc7285#Directory|{'resources':{}}
        rfc7285#Directory|{'meta':{},'resources':{'a b':{'uri':'/a','media-type':'text/x'}}}
        rfc7285#Directory|{'meta':{},'resources':{'a':{'media-type':'text/x'}}}
        rfc7285#Directory|{'meta':{'cost-types':{'c':{'cost-mode':'fast','cost-metric':'m'}}},'resources':{}}
        rfc7285#NetworkMap|{'meta':{},'network-map':{}}
        rfc7285#NetworkMap|{'meta':{'vtag':{'resource-id':'n','tag':'a b'}},'network-map':{}}
        rfc7285#NetworkMap|{'meta':{'vtag':{'resource-id':'n','tag':'t'}},'network-map':{'p':{'ipv4':['10.0.0.0/33']}}}
        rfc7285#NetworkMap|{'meta':{'vtag':{'resource-id':'n','tag':'t'}},'network-map':{'p':{'ipv4':['::/0']}}}
        rfc7285#NetworkMap|{'meta':{'vtag':{'resource-id':'n','tag':'t'}},'network-map':{'p':{'ipv9':[]}}}
        rfc7285#NetworkMap|{'meta':{'vtag':{'resource-id':'n','tag':'t'}},'network-map':{'p q':{}}}
        rfc7285#CostMap|{'meta':{'cost-type':{'cost-mode':'numerical','cost-metric':'m'}},'cost-map':{}}
        rfc7285#CostMap|{'meta':{'dependent-vtags':[],'cost-type':{'cost-mode':'numerical','cost-metric':'m'}},'cost-map':{}}
        rfc7285#CostMap|{'meta':{'dependent-vtags':[{'resource-id':'n','tag':'t'}],'cost-type':{'cost-mode':'numerical',\
        'cost-metric':'m'}},'cost-map':{'a':{'b':'1'}}}
        rfc7285#CostMap|{'meta':{'dependent-vtags':[{'resource-id':'n','tag':'t'}],'cost-type':{'cost-mode':'ordinal',\
        'cost-metric':'m'}},'cost-map':{'a':{'b':1.5}}}
        rfc7285#EndpointCosts|{'meta':{'cost-type':{'cost-mode':'numerical','cost-metric':'m'}},'endpoint-cost-map':{'10.0.0.1':{}}}
        rfc7285#EndpointCosts|{'meta':{},'endpoint-cost-map':{}}
        rfc7285#EndpointProperties|{'meta':{},'endpoint-properties':{'ipv4:10.0.0.1':{'net.pid':7}}}
        rfc7285#Error|{'meta':{'code':'E_OTHER'}}
        rfc7285#Error|{'meta':{'code':'E_SYNTAX','value':'x'}}
        rfc8189#CostMap|{'meta':{'dependent-vtags':[{'resource-id':'n','tag':'t'}],'multi-cost-types':[]},'cost-map':{}}
        rfc8189#EndpointCosts|{'meta':{'multi-cost-types':[{'cost-mode':'numerical','cost-metric':'m'}]},\
        'endpoint-cost-map':{'ipv4:10.0.0.1':{'ipv4:10.0.0.2':3}}}
        rfc8895#Request|{'add':{'a':{}}}
        rfc8895#Request|{'add':{'a':{'resource-id':'r','incremental-changes':'yes'}}}
        rfc7285#NetworkMapFilter|{}
        rfc7285#NetworkMapFilter|{'pids':['a b']}
        rfc7285#NetworkMapFilter|{'pids':[],'address-types':'ipv4'}
        rfc7285#CostMapFilter|{'pids':{}}
        rfc7285#CostMapFilter|{'cost-type':{'cost-mode':'numerical'}}
        rfc7285#CostMapFilter|{'cost-type':{'cost-mode':'numerical','cost-metric':'m'},'constraints':['ne 5']}
        rfc7285#CostMapFilter|{'cost-type':{'cost-mode':'numerical','cost-metric':'m'},'pids':{'srcs':'a'}}
        rfc7285#EndpointCostParams|{'cost-type':{'cost-mode':'numerical','cost-metric':'m'}}
        rfc7285#EndpointCostParams|{'cost-type':{'cost-mode':'numerical','cost-metric':'m'},'endpoints':{'dsts':['10.0.0.1']}}
        rfc7285#EndpointPropParams|{'properties':[],'endpoints':['ipv4:10.0.0.1']}
        rfc7285#EndpointPropParams|{'properties':['net.pid']}
        rfc8189#CostMapFilter|{'multi-cost-types':[]}
        rfc8189#CostMapFilter|{'multi-cost-types':[{'cost-mode':'numerical','cost-metric':'m'}],'constraints':['[x] le 5']}
        rfc8189#CostMapFilter|{'multi-cost-types':[{'cost-mode':'numerical','cost-metric':'m'}],'or-constraints':['le 5']}
        rfc8189#EndpointCostParams|{'multi-cost-types':[{'cost-mode':'numerical','cost-metric':'m'}]}
        rfc9240#PropertyParams|{'properties':['net.pid']}
        rfc9240#PropertyParams|{'entities':['10.0.0.1']}
        rfc8895#Control|{}
        rfc8895#Control|{'stopped':[]}
        rfc8895#JsonPatch|[{'op':'add','path':'/a'}]
        rfc8895#JsonPatch|[{'op':'add','path':'a','value':1}]
        rfc8895#Capabilities|{'incremental-change-media-types':{'n':'application/json'}}
        rfc8896#EndpointCosts|{'meta':{'cost-type':{'cost-mode':'numerical','cost-metric':'m'},\
        'calendar-response-attributes':[{'calendar-start-time':'2026-01-01','time-interval-size':1,'number-of-intervals':1}]},\
        'endpoint-cost-map':{}}
        rfc9240#PropertyMap|{'meta':{},'property-map':{'10.0.0.1':{}}}
        rfc9240#Elements|{'meta':{'dependent-vtags':[{'resource-id':'n','tag':'t'}]},'property-map':{'ipv4:10.0.0.1':{}}}
        rfc9569#Request|{'tag':'t'}
        rfc9569#View|{'tips-view-uri':'/tips/1','tips-view-summary':{'updates-graph-summary':{'start-seq':1,'end-seq':1,\
        'start-edge-rec':{'seq-i':0,'seq-j':1}}}}
        rfc9569#Summary|{'start-seq':0,'end-seq':1,'start-edge-rec':{'seq-i':0,'seq-j':1}}
        rfc9569#Summary|{'start-seq':1,'end-seq':1}
        """)
    void whatIsBrokenIsNotValid(String message, String text) {
        assertThat(AltoSchemas.faults(message, text.replace('\'', '"'))).isNotEmpty();
    }
}
