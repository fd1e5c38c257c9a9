package io.guidepost.alto.protocol;

/** Media types (RFC 7285 section 14.1 and those of its extensions). */
public final class AltoMediaType {
    private static final String ALTO = "application/alto-";

    /** The directory. */
    public static final String DIRECTORY = ALTO + "directory+json";

    /** A network map, whole or filtered. */
    public static final String NETWORK_MAP = ALTO + "networkmap+json";

    /** What of a network map is asked for. */
    public static final String NETWORK_MAP_FILTER = ALTO + "networkmapfilter+json";

    /** A cost map, whole or filtered. */
    public static final String COST_MAP = ALTO + "costmap+json";

    /** What of a cost map is asked for. */
    public static final String COST_MAP_FILTER = ALTO + "costmapfilter+json";

    /** Properties of endpoints. */
    public static final String ENDPOINT_PROPERTY = ALTO + "endpointprop+json";

    /** Which properties of which endpoints. */
    public static final String ENDPOINT_PROPERTY_PARAMS = ALTO + "endpointpropparams+json";

    /** Costs between endpoints. */
    public static final String ENDPOINT_COST = ALTO + "endpointcost+json";

    /** Between which endpoints. */
    public static final String ENDPOINT_COST_PARAMS = ALTO + "endpointcostparams+json";

    /** A fault. */
    public static final String ERROR = ALTO + "error+json";

    /** Properties of entities (RFC 9240). */
    public static final String PROPERTY_MAP = ALTO + "propmap+json";

    /** Which properties of which entities (RFC 9240). */
    public static final String PROPERTY_MAP_PARAMS = ALTO + "propmapparams+json";

    /** Several parts, the first of which refers to the others (RFC 2387, RFC 9275). */
    public static final String RELATED = "multipart/related";

    /** Events that come as they happen. */
    public static final String EVENT_STREAM = "text/event-stream";

    /** Which resources an update stream tells of (RFC 8895). */
    public static final String UPDATE_STREAM_PARAMS = ALTO + "updatestreamparams+json";

    /** What an update stream says of itself (RFC 8895). */
    public static final String UPDATE_STREAM_CONTROL = ALTO + "updatestreamcontrol+json";

    /** A view of the versions of a resource (RFC 9569). */
    public static final String TIPS = ALTO + "tips+json";

    /** Which resource a view is of (RFC 9569). */
    public static final String TIPS_PARAMS = ALTO + "tipsparams+json";

    private AltoMediaType() {}
}
