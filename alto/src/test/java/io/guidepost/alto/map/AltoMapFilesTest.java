package io.guidepost.alto.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.base.Address;
import io.guidepost.base.FaultyFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of maps: what they say, and what is wrong with them, file and field. */
class AltoMapFilesTest {
    private static final String REST = "\"rest\":{\"ipv4\":[\"0.0.0.0/0\"],\"ipv6\":[\"::0/0\"]}";

    @TempDir
    Path folder;

    private Path write(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void propertiesAreOfAddressesBlocksAndPids() throws Exception {
        write("a.json", "{\"network-map\":{\"A\":{\"ipv4\":[\"10.0.0.0/8\"]}," + REST + "}}");
        write("p.json", "{\"property-map\":{\"ipv4:10.1.0.0/16\":{\"priv:kind\":\"far\"},\"ipv4:10.1.2.3\":"
                + "{\"priv:kind\":\"here\",\"a.pid\":\"ignored\"},\"a.pid:A\":{\"region\":\"north\"}}}");
        write("notes.txt", "not read");
        AltoSnapshot read = AltoMapFiles.read(List.of(folder), 7);
        assertThat(read.version()).isEqualTo(7);
        assertThat(read.maps().getFirst().id()).isEqualTo("a");
        var kind = java.util.Objects.requireNonNull(read.properties().ofAddresses().get("priv:kind"));
        assertThat(kind.of(Address.parse("10.1.2.3"))).contains("here");
        assertThat(kind.of(Address.parse("10.1.2.4"))).contains("far");
        assertThat(kind.of(Address.parse("10.2.2.4"))).isEmpty();
        assertThat(read.properties().ofPids().toString()).isEqualTo("{a={region={A=north}}}");
        assertThat(read.properties().ofAddresses()).hasSize(1);
        assertThat(read.metrics()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{\"network-map\":{\"A\":{\"ipv4\":[\"10.0.0.0/8\",\"10.0.0/8\"]},REST}} | network-map.A.ipv4[1] '10.0.0' is not an address",
        "{\"network-map\":{\"A\":{\"ipv4\":[\"2001:db8::/32\"]},REST}} | network-map.A.ipv4[0] is not of the type ipv4",
        "{\"network-map\":{\"A\":{\"mac\":[\"x\"]},REST}} | network-map.A.mac[0] is of the type 'mac'",
        "{\"network-map\":{\"A\":{\"ipv4\":[\"0.0.0.0/0\"]},REST}} | is in the PID A already",
        "{\"network-map\":{\"A\":{\"ipv4\":[\"10.0.0.0/8\"]}}} | network-map has no 0.0.0.0/0 or no ::/0",
        "{\"network-map\":{\"A B\":{},REST}} | network-map has the PID 'A B'",
        "{\"network-map\":[]} | network-map should be an object, not an array",
        "{\"network-map\":{REST},\"cost-map\":{}} | meta is missing",
        "{\"network-map\":{REST},\"meta\":{\"cost-type\":{\"cost-mode\":\"ordinal\",\"cost-metric\":\"x\"}},\"cost-map\":{}} "
                + "| meta.cost-type.cost-mode is numerical here",
        "{\"network-map\":{REST},\"meta\":{\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"x\"}},"
                + "\"cost-map\":{\"rest\":{\"B\":1}}} | cost-map.rest.B names a PID that the map f does not have",
        "{\"network-map\":{REST},\"meta\":{\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"x\"}},"
                + "\"cost-map\":{\"rest\":{\"rest\":-1}}} | cost-map.rest.rest is a number of 0 or more",
        "{\"network-map\":{REST},\"cost-metrics\":{\"delay-ow:p101\":{}}} | cost-metrics.delay-ow:p101 is no name of a metric",
        "{\"network-map\":{REST},\"cost-metrics\":{\"x\":{\"calendar\":{\"time-interval-size\":5,\"factors\":[]}}}} "
                + "| cost-metrics.x.calendar has no factors",
        "{\"network-map\":{REST},\"property-map\":{\"car:1\":{\"x\":\"y\"}}} | is of the type 'car'",
        "{} | the JSON needs one of network-map",
        "{\"network-map\": | f.json: this is not JSON (at offset 15)",
        "{\"cost-metrics\":{}} | there is no network map in these files"
    })
    void faultsAreToldWithFileAndField(String text, String fault) throws Exception {
        Path file = write("f.json", text.replace("REST", REST));
        FaultyFile refused = catchThrowableOfType(FaultyFile.class, () -> AltoMapFiles.read(List.of(file), 1));
        assertThat(refused).isNotNull();
        assertThat(refused.faults()).hasSize(1);
        assertThat(refused.faults().getFirst()).contains("f.json").contains(fault);
    }

    @Test
    void allFaultyFilesAreTold() throws Exception {
        write("a.json", "[]");
        write("b.json", "{\"network-map\":{}}");
        FaultyFile refused = catchThrowableOfType(FaultyFile.class, () -> AltoMapFiles.read(List.of(folder), 1));
        assertThat(refused.faults()).hasSize(2);
    }
}
