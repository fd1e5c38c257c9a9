package io.guidepost.scaffold.gateway;

/** What became of the questions that came to the gateway's DNS. */
enum ZoneCount {
    QUESTIONS,
    ANSWERS_ADDRESS,
    ANSWERS_NO_DATA,
    ANSWERS_NO_NAME,
    ANSWERS_REFUSED,
    ANSWERS_FORMAT_ERROR,
    ANSWERS_NOT_IMPLEMENTED,
    ANSWERS_SERVER_FAILURE,
    DROPS_NO_QUESTION,
    DROPS_PENDING_MAX
}
