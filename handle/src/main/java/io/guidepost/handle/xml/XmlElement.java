package io.guidepost.handle.xml;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.Utf8;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * An element of an XML document with its contents. Document types and entities are refused: a document cannot refer to
 * a file or another server (XXE), nor expand (billion laughs). Immutable.
 *
 * @param name without a namespace's prefix
 * @param attributes by name, in order
 * @param children the child elements
 * @param text the character data, joined and stripped
 */
public record XmlElement(String name, Map<String, String> attributes, List<XmlElement> children, String text) {
    /** Bytes of a document: a quarter of a message, as a record has other values too, and each visit parses it. */
    static final int DOCUMENT_BYTES_MAX = HandleLimits.MESSAGE_BYTES_MAX / 4;

    /** Depth of nesting: templates are the deepest legitimate documents, and use less than ten. */
    static final int DEPTH_MAX = 32;

    /** Elements of a document: each costs an object of some 100 bytes, ten times its text. */
    static final int ELEMENTS_MAX = 4096;

    /** Attributes of an element: names of locations' attributes are free, but none in use has more than ten. */
    static final int ATTRIBUTES_MAX = 64;

    private static final XMLInputFactory READERS = readers();

    /** Copies map and list. */
    public XmlElement {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        children = List.copyOf(children);
    }

    /** Returns the value of an attribute. */
    public Optional<String> attribute(String wanted) {
        return Optional.ofNullable(attributes.get(wanted));
    }

    /** Returns the children with a name, ignoring case. */
    public Stream<XmlElement> children(String wanted) {
        return children.stream().filter(each -> each.name.equalsIgnoreCase(wanted));
    }

    /**
     * Parses a document in UTF-8, ignoring its encoding declaration.
     *
     * @return its root
     * @throws Malformed with the first reason and its offset, in bytes or characters
     */
    public static XmlElement read(byte[] document) throws Malformed {
        if (document.length > DOCUMENT_BYTES_MAX) {
            throw new Malformed(
                    "a document has at most " + DOCUMENT_BYTES_MAX + " bytes, not " + document.length, 0);
        }
        String text = Utf8.decode(document).orElseThrow(() -> new Malformed("the document is not UTF-8", 0)).strip();
        try {
            XMLStreamReader in = READERS.createXMLStreamReader(new StringReader(text));
            try {
                return new Reading(in).document();
            } finally {
                in.close();
            }
        } catch (XMLStreamException e) {
            long offset = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getCharacterOffset());
            throw new Malformed("the document is not well-formed XML", offset);
        }
    }

    private static XMLInputFactory readers() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("external entities are refused");
        });
        return factory;
    }

    /** A document being parsed. */
    private static final class Reading {
        private final XMLStreamReader in;
        private int elements;

        Reading(XMLStreamReader in) {
            this.in = in;
        }

        XmlElement document() throws XMLStreamException, Malformed {
            while (in.next() != XMLStreamConstants.START_ELEMENT) {
                checked();
            }
            XmlElement root = element(1);
            while (in.hasNext()) {
                in.next();
                checked();
            }
            return root;
        }

        private XmlElement element(int depth) throws XMLStreamException, Malformed {
            elements++;
            if (depth > DEPTH_MAX
                    || elements > ELEMENTS_MAX
                    || in.getAttributeCount() > ATTRIBUTES_MAX) {
                throw fault("the document has too many elements or attributes, or too many within one another");
            }
            String name = in.getLocalName();
            Map<String, String> attributes = new LinkedHashMap<>();
            for (int i = 0; i < in.getAttributeCount(); i++) {
                attributes.put(in.getAttributeLocalName(i), in.getAttributeValue(i));
            }
            List<XmlElement> children = new ArrayList<>();
            StringBuilder text = new StringBuilder();
            while (true) {
                switch (in.next()) {
                    case XMLStreamConstants.START_ELEMENT -> children.add(element(depth + 1));
                    case XMLStreamConstants.END_ELEMENT -> {
                        return new XmlElement(name, attributes, children, text.toString().strip());
                    }
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> text.append(
                            in.getText());
                    default -> checked();
                }
            }
        }

        private void checked() throws Malformed {
            int event = in.getEventType();
            if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
                throw fault("a document type and entities of its own are not read");
            }
        }

        private Malformed fault(String reason) {
            return new Malformed(reason, Math.max(0, in.getLocation().getCharacterOffset()));
        }
    }
}
