package io.guidepost.alto.protocol;

/** Media types (RFC 7285 section 14.1 and those of its extensions). */
public final class AltoMediaType {
    private static final String ALTO = "application/alto-";

    /** The information resource directory. */
    public static final String DIRECTORY = ALTO + "directory+json";

    /** A network map, whole or filtered. */
    public static final String NETWORK_MAP = ALTO + "networkmap+json";

    /** The filter of a network map. */
    public static final String NETWORK_MAP_FILTER = ALTO + "networkmapfilter+json";

    /** A cost map, whole or filtered. */
    public static final String COST_MAP = ALTO + "costmap+json";

    /** The filter of a cost map. */
    public static final String COST_MAP_FILTER = ALTO + "costmapfilter+json";

    /** Properties of endpoints. */
    public static final String ENDPOINT_PROPERTY = ALTO + "endpointprop+json";

    /** A query of endpoint properties. */
    public static final String ENDPOINT_PROPERTY_PARAMS = ALTO + "endpointpropparams+json";

    /** An endpoint cost map. */
    public static final String ENDPOINT_COST = ALTO + "endpointcost+json";

    /** A query of endpoint costs. */
    public static final String ENDPOINT_COST_PARAMS = ALTO + "endpointcostparams+json";

    /** An error response. */
    public static final String ERROR = ALTO + "error+json";

    /** Properties of entities (RFC 9240). */
    public static final String PROPERTY_MAP = ALTO + "propmap+json";

    /** A query of entity properties (RFC 9240). */
    public static final String PROPERTY_MAP_PARAMS = ALTO + "propmapparams+json";

    /** Several parts, the first of which refers to the others (RFC 2387, RFC 9275). */
    public static final String RELATED = "multipart/related";

    /** Server-sent events. */
    public static final String EVENT_STREAM = "text/event-stream";

    /** A request for an update stream (RFC 8895). */
    public static final String UPDATE_STREAM_PARAMS = ALTO + "updatestreamparams+json";

    /** Control events of an update stream (RFC 8895). */
    public static final String UPDATE_STREAM_CONTROL = ALTO + "updatestreamcontrol+json";

    /** A TIPS view: the versions of a resource (RFC 9569). */
    public static final String TIPS = ALTO + "tips+json";

    /** A request for a TIPS view (RFC 9569). */
    public static final String TIPS_PARAMS = ALTO + "tipsparams+json";

    private AltoMediaType() {}
}
