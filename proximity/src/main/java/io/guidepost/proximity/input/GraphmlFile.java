package io.guidepost.proximity.input;

import io.guidepost.proximity.Findings;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads GraphML as the Topology Zoo and most graph tools write it. Document types and external entities are disabled,
 * so a file cannot refer to another file or expand itself.
 */
final class GraphmlFile {
    private static final XMLInputFactory FACTORY = factory();
    private static final int HEAD_BYTES = 256;
    private static final Pattern ENCODING = Pattern.compile("^<\\?xml[^>]*encoding\\s*=\\s*[\"']([A-Za-z0-9._-]+)[\"']");
    private static final Set<String> CHARSETS = Set.of("UTF-8", "UTF-16", "US-ASCII", "ISO-8859-1", "WINDOWS-1252");

    /** A key of data: the name of an attribute, and its default value. */
    private record Key(String name, String whole) {}

    private final InputGraph graph;
    private final XMLStreamReader xml;
    private final Map<String, Key> keys = new HashMap<>();
    private boolean directed;
    private int nesting;

    private GraphmlFile(InputGraph graph, XMLStreamReader xml) {
        this.graph = graph;
        this.xml = xml;
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        return factory;
    }

    static InputGraph read(Path file, Findings findings) throws IOException {
        InputGraph graph = new InputGraph(file.toString(), findings);
        try (BoundedFile in = BoundedFile.of(file)) {
            new GraphmlFile(graph, FACTORY.createXMLStreamReader(decoded(in))).read();
        } catch (XMLStreamException e) {
            if (e.getNestedException() instanceof IOException failure) {
                throw failure;
            }
            graph.fault(Math.max(0, e.getLocation() == null ? 0 : e.getLocation().getLineNumber()), "not XML: " + reason(e));
        }
        return graph;
    }

    /**
     * Returns the text in the encoding that the file names, else UTF-8; invalid bytes become replacement characters, as
     * the library would print them.
     */
    private static Reader decoded(BoundedFile in) throws IOException {
        BufferedInputStream bytes = new BufferedInputStream(in);
        bytes.mark(HEAD_BYTES);
        byte[] head = bytes.readNBytes(HEAD_BYTES);
        bytes.reset();
        boolean wide = head.length > 1 && (head[0] & 0xff) + (head[1] & 0xff) == 0xfe + 0xff;
        Matcher named = ENCODING.matcher(new String(head, StandardCharsets.ISO_8859_1));
        String name = wide ? "UTF-16" : named.find() ? named.group(1) : "UTF-8";
        Charset charset = CHARSETS.contains(name.toUpperCase(Locale.ROOT)) ? Charset.forName(name) : StandardCharsets.UTF_8;
        boolean marked = head.length > 2 && (head[0] & 0xff) == 0xef && (head[1] & 0xff) == 0xbb;
        bytes.skipNBytes(marked ? 3 : 0);
        return new InputStreamReader(bytes, charset);
    }

    /** Returns the message without the position, which the library puts before it in lines of its own. */
    private static String reason(XMLStreamException failure) {
        String message = String.valueOf(failure.getMessage());
        return message.substring(message.lastIndexOf('\n') + 1).replaceFirst("^Message: ", "");
    }

    private long line() {
        return xml.getLocation().getLineNumber();
    }

    private Optional<String> attribute(String name) {
        return Optional.ofNullable(xml.getAttributeValue(null, name));
    }

    private String needed(String name) {
        Optional<String> value = attribute(name);
        if (value.isEmpty()) {
            graph.fault(line(), "<" + xml.getLocalName() + "> has no attribute " + name + ": write one");
        }
        return value.orElse("");
    }

    private void read() throws XMLStreamException {
        int depth = 0;
        boolean isGraph = false;
        while (xml.hasNext()) {
            int event = xml.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                if (++depth > InputLimits.XML_DEPTH_MAX) {
                    throw tooDeep();
                }
                isGraph |= xml.getLocalName().equals("graph");
                // A method that reads an element to its end leaves its level.
                depth -= element() ? 1 : 0;
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                depth--;
            }
        }
        if (!isGraph) {
            graph.fault(0, "there is no <graph>: this is XML, but not GraphML");
        }
    }

    /** Handles an element; returns whether it was read to its end. */
    private boolean element() throws XMLStreamException {
        switch (xml.getLocalName()) {
            case "key" -> key();
            case "graph" -> {
                directed = attribute("edgedefault").orElse("undirected").equals("directed");
                return false;
            }
            case "node" -> node();
            case "edge" -> edge();
            case "hyperedge" -> {
                graph.warn(line(), "an edge with more than two ends is ignored");
                return false;
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void key() throws XMLStreamException {
        String id = needed("id");
        String name = attribute("attr.name").orElse(id);
        GraphAttributes inside = new GraphAttributes();
        children(inside, false);
        keys.put(id, new Key(name, inside.text("default")));
    }

    private void node() throws XMLStreamException {
        long line = line();
        String id = needed("id");
        GraphAttributes attributes = defaults();
        children(attributes, true);
        graph.node(id, attributes.node(id), line);
    }

    private void edge() throws XMLStreamException {
        long line = line();
        String from = needed("source");
        String to = needed("target");
        boolean oneWay = attribute("directed").map("true"::equals).orElse(directed);
        GraphAttributes attributes = defaults();
        children(attributes, false);
        graph.edge(new InputGraph.Edge(from, to, !oneWay, attributes.traits(graph, line), line));
    }

    private GraphAttributes defaults() {
        GraphAttributes attributes = new GraphAttributes();
        for (Key each : keys.values()) {
            if (!each.whole.isEmpty()) {
                attributes.put(each.name, each.whole);
            }
        }
        return attributes;
    }

    /** Reads the data of an element up to its end; nodes inside a node are nodes too. */
    private void children(GraphAttributes attributes, boolean insideNode) throws XMLStreamException {
        int depth = 1;
        StringBuilder text = new StringBuilder();
        String name = "";
        while (depth > 0 && xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    String element = xml.getLocalName();
                    if (insideNode && (element.equals("node") || element.equals("edge"))) {
                        nested();
                        continue;
                    }
                    if (++depth > InputLimits.XML_DEPTH_MAX) {
                        throw tooDeep();
                    }
                    if (depth == 2) {
                        text.setLength(0);
                        name = element.equals("data") ? dataName() : element;
                    }
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                    if (text.length() < InputLimits.XML_TEXT_MAX) {
                        text.append(xml.getText());
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    if (--depth == 1) {
                        attributes.put(name, text.toString());
                    }
                }
                default -> {}
            }
        }
    }

    /** Reads a nested node or edge; each level costs stack. */
    private void nested() throws XMLStreamException {
        if (++nesting > InputLimits.XML_DEPTH_MAX) {
            throw tooDeep();
        }
        element();
        nesting--;
    }

    private XMLStreamException tooDeep() {
        return new XMLStreamException("elements are nested deeper than " + InputLimits.XML_DEPTH_MAX, xml.getLocation());
    }

    private String dataName() {
        String key = needed("key");
        Key known = keys.get(key);
        return known == null ? key : known.name;
    }
}
