package io.guidepost.handle.xml;

/** The bounds of XML in values, each with its reason. A document that exceeds one is malformed. */
final class XmlLimits {
    /** Bytes of a document: a quarter of a message, as a record has other values too, and each visit parses it. */
    public static final int DOCUMENT_BYTES_MAX = io.guidepost.handle.HandleLimits.MESSAGE_BYTES_MAX / 4;

    /** Depth of nesting: templates are the deepest legitimate documents, and use less than ten. */
    public static final int DEPTH_MAX = 32;

    /** Elements of a document: each costs an object of some 100 bytes, ten times its text. */
    public static final int ELEMENTS_MAX = 4096;

    /** Attributes of an element: names of locations' attributes are free, but none in use has more than ten. */
    public static final int ATTRIBUTES_MAX = 64;

    static {
        assert DOCUMENT_BYTES_MAX < io.guidepost.handle.HandleLimits.ARRAY_BYTES_MAX;
    }

    private XmlLimits() {}
}
