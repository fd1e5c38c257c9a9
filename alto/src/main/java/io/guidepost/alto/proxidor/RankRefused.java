package io.guidepost.alto.proxidor;

import java.io.IOException;

/** The server answered, and said that it does not rank. */
public final class RankRefused extends IOException {
    private static final long serialVersionUID = 1L;

    private final Rcode code;

    RankRefused(String message, Rcode code) {
        super(message);
        this.code = code;
    }

    /** Why. */
    public Rcode code() {
        return code;
    }
}
