package io.guidepost.alto.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.map.AltoMapFiles;
import io.guidepost.alto.service.AltoDispatcher;
import io.guidepost.alto.service.AltoTestCaller;
import io.guidepost.alto.service.ResourceCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several costs at once, calendars, metrics with a context: on two maps small enough to see. */
class CostWriterTest {
    private static final String RC = "{\"cost-mode\":\"numerical\",\"cost-metric\":\"routingcost\"}";
    private static final String RANK = "{\"cost-mode\":\"ordinal\",\"cost-metric\":\"routingcost\"}";
    private static final String DELAY = "{\"cost-mode\":\"numerical\",\"cost-metric\":\"delay-ow:p95\"}";

    @TempDir
    Path folder;

    private AltoTestCaller client = new AltoTestCaller(_ -> {
        throw new AssertionError("not set up");
    });

    @BeforeEach
    void load() throws Exception {
        write("map", "{\"network-map\":{\"A\":{\"ipv4\":[\"10.0.0.0/8\"]},\"B\":{\"ipv4\":[\"11.0.0.0/8\"]},"
                + "\"rest\":{\"ipv4\":[\"0.0.0.0/0\"],\"ipv6\":[\"::/0\"]}}}");
        write("rc", costs("routingcost", "{\"A\":{\"A\":0,\"B\":24.5,\"rest\":40},\"B\":{\"A\":20}}"));
        write("delay", costs("delay-ow:p95", "{\"A\":{\"A\":100,\"B\":1500},\"B\":{\"rest\":7}}"));
        write("metrics", "{\"cost-metrics\":{\"routingcost\":{\"calendar\":{\"time-interval-size\":21600,"
                + "\"factors\":[1,1,1.5,2]}},\"delay-ow:p95\":{\"cost-context\":{\"cost-source\":\"estimation\","
                + "\"parameters\":{\"method\":\"probes\"}}}}}");
        AltoSnapshot information = AltoMapFiles.read(List.of(folder), 1);
        InstantSource clock = InstantSource.fixed(Instant.parse("2026-11-22T15:00:01Z"));
        client = new AltoTestCaller(new AltoDispatcher(() -> information, ResourceCatalog.of(information, clock), List.of()));
    }

    private static String costs(String metric, String map) {
        return "{\"meta\":{\"dependent-vtags\":[{\"resource-id\":\"map\",\"tag\":\"1\"}],\"cost-type\":{\"cost-mode\":"
                + "\"numerical\",\"cost-metric\":\"" + metric + "\"}},\"cost-map\":" + map + "}";
    }

    private void write(String name, String text) throws Exception {
        Files.writeString(folder.resolve(name + ".json"), text);
    }

    private AltoTestCaller.Answer filtered(String body) {
        return client.post("/map-costs", "application/alto-costmapfilter+json", body);
    }

    @Test
    void theDirectoryTellsWhatMayBeAsked() {
        AltoTestCaller.Answer directory = client.get("/directory");
        String all = "[\"num-routingcost\",\"ord-routingcost\",\"num-delay-ow:p95\",\"ord-delay-ow:p95\"]";
        for (String each : List.of("resources/map-costs/capabilities", "resources/endpoint-costs/capabilities")) {
            assertThat(directory.at(each + "/cost-type-names")).isEqualTo(all);
            assertThat(directory.at(each + "/testable-cost-type-names")).isEqualTo(all);
            assertThat(directory.at(each + "/max-cost-types")).isEqualTo("16");
            assertThat(directory.at(each + "/cost-constraints")).isEqualTo("true");
            assertThat(directory.at(each + "/calendar-attributes"))
                    .isEqualTo("[{\"cost-type-names\":[\"num-routingcost\"],\"time-interval-size\":21600,"
                            + "\"number-of-intervals\":4}]");
        }
        assertThat(directory.at("meta/cost-types/num-delay-ow:p95"))
                .isEqualTo("{\"cost-mode\":\"numerical\",\"cost-metric\":\"delay-ow:p95\",\"cost-context\":{\"cost-source\":"
                        + "\"estimation\",\"parameters\":{\"method\":\"probes\"}}}");
    }

    @Test
    void severalCostsAreToldTogether() {
        AltoTestCaller.Answer answer = filtered("{\"multi-cost-types\":[" + RC + "," + DELAY + "," + RANK + "]}");
        assertThat(answer.at("meta/multi-cost-types")).isEqualTo("[" + RC + "," + DELAY + "," + RANK + "]");
        assertThat(answer.at("meta/cost-type")).isEmpty();
        assertThat(answer.at("cost-map")).isEqualTo("{\"A\":{\"A\":[0,100,1],\"B\":[24.5,1500,3],\"rest\":[40,null,4]},"
                + "\"B\":{\"A\":[20,null,2],\"rest\":[null,7,null]}}");
        assertThat(filtered("{\"multi-cost-types\":[" + RC + "],\"pids\":{\"srcs\":[\"B\"],\"dsts\":[]}}").at("cost-map"))
                .isEqualTo("{\"B\":{\"A\":[20]}}");
        assertThat(client.post("/endpoint-costs", "application/alto-endpointcostparams+json",
                        "{\"multi-cost-types\":[" + RC + "," + DELAY + "],\"endpoints\":{\"srcs\":[\"ipv4:10.1.1.1\"],"
                                + "\"dsts\":[\"ipv4:11.1.1.1\"]}}").at("endpoint-cost-map"))
                .isEqualTo("{\"ipv4:10.1.1.1\":{\"ipv4:11.1.1.1\":[24.5,1500]}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "\"constraints\":[\"[0] ge 20\",\"[1] le 5000\"] | {\"A\":{\"B\":24.5}}",
        "\"constraints\":[\"le 20\"] | {\"A\":{\"A\":0},\"B\":{\"A\":20}}",
        "\"or-constraints\":[[\"[0] gt 30\"],[\"[1] lt 200\",\"[0] lt 1\"]] | {\"A\":{\"A\":0,\"rest\":40}}",
        "\"or-constraints\":[[]] | {\"A\":{\"A\":0,\"B\":24.5,\"rest\":40},\"B\":{\"A\":20}}",
        "\"constraints\":[\"[1] ge 0\"] | {\"A\":{\"A\":0,\"B\":24.5}}"
    })
    void constraintsMayTestCostsThatAreNotTold(String constraints, String told) {
        assertThat(filtered("{\"cost-type\":" + RC + ",\"testable-cost-types\":[" + RC + "," + DELAY + "]," + constraints
                        + "}").at("cost-map"))
                .isEqualTo(told);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "\"cost-type\":RC,\"multi-cost-types\":[RC] | E_INVALID_FIELD_VALUE | multi-cost-types",
        "\"pids\":{} | E_MISSING_FIELD | cost-type",
        "\"multi-cost-types\":[] | E_INVALID_FIELD_VALUE | multi-cost-types",
        "\"multi-cost-types\":RC | E_INVALID_FIELD_TYPE | multi-cost-types",
        "\"multi-cost-types\":[7] | E_INVALID_FIELD_VALUE | multi-cost-types",
        "\"multi-cost-types\":[{\"cost-mode\":\"numerical\",\"cost-metric\":\"x\"}] | E_INVALID_FIELD_VALUE "
                + "| multi-cost-types/cost-metric",
        "\"cost-type\":RC,\"constraints\":[\"le 1\"],\"or-constraints\":[[\"le 1\"]] | E_INVALID_FIELD_VALUE | or-constraints",
        "\"cost-type\":RC,\"or-constraints\":[\"le 1\"] | E_INVALID_FIELD_VALUE | or-constraints",
        "\"cost-type\":RC,\"constraints\":[\"[1] le 1\"] | E_INVALID_FIELD_VALUE | constraints",
        "\"cost-type\":RC,\"constraints\":\"le 1\" | E_INVALID_FIELD_TYPE | constraints",
        "\"cost-type\":RC,\"calendared\":[true,true] | E_INVALID_FIELD_VALUE | calendared",
        "\"cost-type\":RC,\"calendared\":[1] | E_INVALID_FIELD_VALUE | calendared",
        "\"cost-type\":RC,\"pids\":[] | E_INVALID_FIELD_TYPE | pids",
        "\"cost-type\":RC,\"pids\":{\"srcs\":\"A\"} | E_INVALID_FIELD_TYPE | pids/srcs",
        "\"cost-type\":{\"cost-mode\":5,\"cost-metric\":\"x\"} | E_INVALID_FIELD_TYPE | cost-type/cost-mode"
    })
    void wrongFieldsAreNamed(String members, String code, String field) {
        AltoTestCaller.Answer answer = filtered("{" + members.replace("RC", RC) + "}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("meta/code")).isEqualTo('"' + code + '"');
        assertThat(answer.at("meta/field")).isEqualTo('"' + field + '"');
    }

    @Test
    void costsAreToldAsTheyChange() {
        AltoTestCaller.Answer answer = filtered("{\"cost-type\":" + RC + ",\"calendared\":[true],\"pids\":{\"srcs\":[\"A\"],\"dsts\":[]}}");
        assertThat(answer.at("meta/cost-type")).isEqualTo(RC);
        assertThat(answer.at("meta/calendar-response-attributes"))
                .isEqualTo("[{\"calendar-start-time\":\"Sun, 22 Nov 2026 00:00:00 GMT\",\"time-interval-size\":21600,"
                        + "\"number-of-intervals\":4}]");
        assertThat(answer.at("cost-map"))
                .isEqualTo("{\"A\":{\"A\":[0,0,0,0],\"B\":[24.5,24.5,36.75,49],\"rest\":[40,40,60,80]}}");
        AltoTestCaller.Answer several = filtered("{\"multi-cost-types\":[" + DELAY + "," + RC + "],\"calendared\":[true,true],"
                + "\"pids\":{\"srcs\":[\"A\"],\"dsts\":[\"B\",\"rest\"]}}");
        assertThat(several.at("meta/calendar-response-attributes")).startsWith("[{\"cost-type-names\":[\"num-routingcost\"],");
        assertThat(several.at("cost-map"))
                .isEqualTo("{\"A\":{\"B\":[1500,[24.5,24.5,36.75,49]],\"rest\":[null,[40,40,60,80]]}}");
        AltoTestCaller.Answer plain = filtered("{\"cost-type\":" + RC + ",\"calendared\":[false]}");
        assertThat(plain.text()).isEqualTo(filtered("{\"cost-type\":" + RC + "}").text()).doesNotContain("calendar");
    }

    @ParameterizedTest
    @CsvSource({
        "delay-ow,true", "delay-ow:p95,true", "delay-ow:p99.9,true", "delay-ow:p100,true", "delay-ow:p0,true",
        "delay-ow:mean,true", "delay-ow:p101,false", "delay-ow:p5.0,false", "delay-ow:p05,false", "delay-ow:average,false",
        "delay-ow:,false", "tput:stdvar,true", "priv:mine,true", "routingcost,true", "lossrate:p,false"
    })
    void statisticsAreThoseOfTheStandard(String name, boolean plausible) {
        assertThat(CostMetric.isName(name)).isEqualTo(plausible);
    }
}
