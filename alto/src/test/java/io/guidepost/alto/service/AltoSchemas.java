package io.guidepost.alto.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** JSON schemas that were written from the standards. */
final class AltoSchemas {
    private static final String BASE = "https://guidepost.invalid/";
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(AltoSchemas::texts));

    private AltoSchemas() {}

    private static String texts(String id) {
        String name = "/schemas/" + id.substring(BASE.length());
        try (InputStream in = Objects.requireNonNull(AltoSchemas.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(name, e);
        }
    }

    /** What is wrong with a message, such as {@code rfc7285#CostMap}. */
    static List<String> faults(String message, String json) {
        Schema schema = SCHEMAS.getSchema("{\"$ref\":\"" + BASE + message.replace("#", ".json#/$defs/") + "\"}");
        return schema.validate(json, InputFormat.JSON).stream().map(Error::toString).toList();
    }

    /** A request that was answered is one that the standards allow. */
    static void requestIsValid(String type, String body) {
        Set<String> members = ((JsonValue.Members) AltoTestCaller.read(body)).members().keySet();
        boolean several = Stream.of("multi-cost-types", "testable-cost-types", "or-constraints").anyMatch(members::contains);
        String message = switch (type) {
            case AltoMediaType.NETWORK_MAP_FILTER -> "rfc7285#NetworkMapFilter";
            case AltoMediaType.COST_MAP_FILTER -> several ? "rfc8189#CostMapFilter" : "rfc7285#CostMapFilter";
            case AltoMediaType.ENDPOINT_COST_PARAMS -> several ? "rfc8189#EndpointCostParams" : "rfc7285#EndpointCostParams";
            case AltoMediaType.ENDPOINT_PROPERTY_PARAMS -> "rfc7285#EndpointPropParams";
            case AltoMediaType.PROPERTY_MAP_PARAMS -> "rfc9240#PropertyParams";
            case AltoMediaType.UPDATE_STREAM_PARAMS -> "rfc8895#Request";
            case AltoMediaType.TIPS_PARAMS -> "rfc9569#Request";
            default -> throw new AssertionError("there is no schema for " + type);
        };
        assertThat(faults(message, body)).as(message + " " + body).isEmpty();
    }
}
