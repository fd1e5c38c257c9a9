package io.guidepost.scaffold.gateway;

/** What became of the questions that came to the gateway's DNS. */
public enum ZoneCount {
    /** Questions that were read. Each ends as an answer. */
    QUESTIONS,
    /** An address of an object. */
    ANSWERS_ADDRESS,
    /** Of the zone itself: its SOA or NS. */
    ANSWERS_ZONE,
    /** The name is there, and nothing of the type that was asked for. */
    ANSWERS_NO_DATA,
    /** No object has the name. */
    ANSWERS_NO_NAME,
    /** The name is outside of the zone. */
    ANSWERS_REFUSED,
    /** The question is malformed. */
    ANSWERS_FORMAT_ERROR,
    /** It is something else than a question. */
    ANSWERS_NOT_IMPLEMENTED,
    /** No object router has answered in time. */
    ANSWERS_SERVER_FAILURE,
    /** Datagrams that are too short for a question, or are an answer. */
    DROPS_NO_QUESTION,
    /** Questions beyond those that may wait for an object router. */
    DROPS_PENDING_MAX
}
