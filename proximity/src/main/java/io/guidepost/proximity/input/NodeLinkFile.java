package io.guidepost.proximity.input;

import io.guidepost.proximity.Findings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a node-link topology in JSON, the form of NetworkX, D3 and topohub: an object with {@code nodes} and
 * {@code links} or {@code edges}, each an array of flat objects. Deeper content except {@code pos} is ignored.
 */
final class NodeLinkFile {
    private static final JsonFactory FACTORY = JsonFactory.builder().build();

    /** An edge as it is written, before it is known whether edges have a direction. */
    private record Line(GraphAttributes attributes, long line) {}

    private final InputGraph graph;
    private final JsonParser json;
    private final List<Line> lines = new ArrayList<>();
    private boolean directed;

    private NodeLinkFile(InputGraph graph, JsonParser json) {
        this.graph = graph;
        this.json = json;
    }

    static InputGraph read(Path file, Findings findings) throws IOException {
        InputGraph graph = new InputGraph(file.toString(), findings);
        try (BoundedFile in = BoundedFile.of(file);
                JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), in)) {
            new NodeLinkFile(graph, json).read();
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (JacksonException e) {
            graph.fault(Math.max(0, e.getLocation().getLineNr()), "not JSON: " + reason(e));
        }
        return graph;
    }

    /** Returns the message without the source description that the library adds. */
    private static String reason(JacksonException failure) {
        return String.valueOf(failure.getOriginalMessage()).replaceFirst("(?s)\\s*\\([^(]*\\[Source:.*", "");
    }

    private long line() {
        return json.currentTokenLocation().getLineNr();
    }

    private void read() {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            graph.fault(line(), "this should be an object with nodes and links: {\"nodes\": [...], \"links\": [...]}");
            return;
        }
        boolean nodes = false;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            switch (name) {
                case "directed" -> directed = value == JsonToken.VALUE_TRUE;
                case "nodes" -> {
                    nodes = true;
                    nodes();
                }
                case "links", "edges" -> links();
                default -> json.skipChildren();
            }
        }
        if (!nodes) {
            graph.fault(0, "there are no \"nodes\": this is JSON, but no topology");
        }
        for (Line each : lines) {
            graph.edge(new InputGraph.Edge(
                    each.attributes.text("source"),
                    each.attributes.text("target"),
                    !directed,
                    each.attributes.traits(graph, each.line),
                    each.line));
        }
    }

    private boolean array() {
        if (json.currentToken() == JsonToken.START_ARRAY) {
            return true;
        }
        graph.fault(line(), "this should be an array of objects");
        json.skipChildren();
        return false;
    }

    private void nodes() {
        boolean more = array();
        for (int number = 0; more && next(); number++) {
            long line = line();
            GraphAttributes attributes = object();
            // Without ids, edges refer to nodes by their index in the list.
            String key = attributes.has("id") ? attributes.text("id") : String.valueOf(number);
            graph.node(key, attributes.node(key), line);
        }
    }

    private void links() {
        boolean more = array();
        while (more && next()) {
            long line = line();
            GraphAttributes attributes = object();
            if (!attributes.has("source") || !attributes.has("target")) {
                graph.fault(line, "a link needs \"source\" and \"target\", the ids of two nodes");
            } else if (lines.size() <= InputLimits.EDGES_MAX) {
                lines.add(new Line(attributes, line));
            }
        }
    }

    /** Advances to the next element of an array; returns whether there is one. */
    private boolean next() {
        JsonToken token = json.nextToken();
        return token != null && token != JsonToken.END_ARRAY;
    }

    /** Reads one flat object. */
    private GraphAttributes object() {
        GraphAttributes attributes = new GraphAttributes();
        if (json.currentToken() != JsonToken.START_OBJECT) {
            graph.fault(line(), "this should be an object");
            json.skipChildren();
            return attributes;
        }
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
                attributes.put(name, json.getString());
            } else if (name.equals("pos") && value == JsonToken.START_ARRAY) {
                position(attributes);
            } else {
                json.skipChildren();
            }
        }
        return attributes;
    }

    private void position(GraphAttributes attributes) {
        List<String> numbers = new ArrayList<>();
        while (next()) {
            if (json.currentToken().isNumeric() && numbers.size() < 2) {
                numbers.add(json.getString());
            }
            json.skipChildren();
        }
        if (numbers.size() == 2) {
            attributes.put("longitude", numbers.getFirst());
            attributes.put("latitude", numbers.getLast());
        }
    }
}
