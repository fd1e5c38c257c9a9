package io.guidepost.handle.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.FaultyFile;
import java.util.List;
import org.junit.jupiter.api.Test;

class DctValueTest {
    @Test
    void objectsListsAndTexts() throws Exception {
        DctValue.Entries config = DctValue.parse(
                """
                {
                "server_type" = "server"
                "interfaces" = (
                  "hdl_udp" "hdl_tcp"
                )
                "server_config" = {
                  "server_admins" = ( "300:0.NA/1234" )
                  "a" = "say \\"yes\\""
                  "empty" = ()
                }
                }
                """,
                "config.dct");
        assertThat(config.text("server_type")).contains("server");
        assertThat(config.texts("interfaces")).containsExactly("hdl_udp", "hdl_tcp");
        DctValue.Entries server = config.object("server_config");
        assertThat(server.texts("server_admins")).containsExactly("300:0.NA/1234");
        assertThat(server.text("a")).contains("say \"yes\"");
        assertThat(server.texts("empty")).isEmpty();
        assertThat(server.get("a").orElseThrow().line()).isEqualTo(8);
        assertThat(config.object("nothing").entries()).isEmpty();
    }

    @Test
    void faultsAreToldByFileAndLine() {
        for (List<String> each : List.of(
                List.of("{\n\"a\" = \"b\"\n", "x:3: "),
                List.of("{\n\"a\" \"b\"\n}", "x:2: "),
                List.of("(\n)", "x:2: "),
                List.of("{\n\"a\" = \"b", "x:2: "),
                List.of("{} {}", "x:1: "),
                List.of("", "x:1: "),
                List.of("{\"a\"=" + "(".repeat(1000), "x:1: "))) {
            assertThatThrownBy(() -> DctValue.parse(each.getFirst(), "x"))
                    .as(each.getFirst())
                    .isInstanceOf(FaultyFile.class)
                    .hasMessageStartingWith(each.getLast());
        }
    }
}
