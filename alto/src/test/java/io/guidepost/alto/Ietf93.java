package io.guidepost.alto;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.alto.map.MapFiles;
import io.guidepost.names.FaultyFile;
import io.guidepost.web.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The data set of the interoperability event at IETF 93 (draft-roome-alto-interop-ietf93), where it is there: in
 * {@code GUIDEPOST_SPEC}, or in {@code ../shared/spec} beside the checkout.
 */
public final class Ietf93 {
    private Ietf93() {}

    /** The data as it stands in its file; the test that asks is skipped where there is none. */
    public static Map<String, Json> data() throws IOException {
        Path given = Path.of(Objects.requireNonNullElse(System.getenv("GUIDEPOST_SPEC"), "../../shared/spec"));
        Path file = given.resolve("alto-ietf93.json");
        assumeTrue(Files.isReadable(file), () -> "needs " + file + ": set GUIDEPOST_SPEC to the folder that has it");
        return ((Json.Members) Asking.read(Files.readString(file))).members();
    }

    /** The same as files of the protocol, in a folder, read as an operator's are. */
    public static Information information(Path folder) throws IOException, FaultyFile {
        Map<String, Json> data = data();
        for (String map : List.of("default", "alternate")) {
            write(folder, "1-map-" + map, "{\"meta\":{\"vtag\":{\"resource-id\":\"" + map + "\",\"tag\":\"x\"}},\"network-map\":"
                    + text(data, map + "-map") + "}");
            for (String metric : List.of("routingcost", "hopcount")) {
                write(folder, "costs-" + map + "-" + metric, "{\"meta\":{\"dependent-vtags\":[{\"resource-id\":\"" + map
                        + "\",\"tag\":\"x\"}],\"cost-type\":{\"cost-mode\":\"numerical\",\"cost-metric\":\"" + metric
                        + "\"}},\"cost-map\":" + text(data, map + "-" + metric) + "}");
            }
        }
        // The default map is the first by name of its file.
        Files.move(folder.resolve("1-map-default.json"), folder.resolve("0-map-default.json"));
        List<String> properties = new ArrayList<>();
        ((Json.Members) Objects.requireNonNull(data.get("endpoint-properties"))).members().forEach((endpoint, values) -> {
            Json type = ((Json.Members) values).members().get("priv:ietf-type");
            if (type != null) {
                properties.add("\"" + endpoint + "\":{\"priv:ietf-type\":" + Asking.written(type) + "}");
            }
        });
        write(folder, "properties", "{\"endpoint-properties\":{" + String.join(",", properties) + "}}");
        return MapFiles.read(List.of(folder), 1);
    }

    private static void write(Path folder, String name, String text) throws IOException {
        Files.writeString(folder.resolve(name + ".json"), text);
    }

    private static String text(Map<String, Json> data, String name) {
        return Asking.written(Objects.requireNonNull(data.get(name)));
    }
}
