package io.guidepost.alto.proxidor;

import java.io.IOException;

/** The server answered, and refused to rank. */
public final class RankRefusedException extends IOException {
    private final ProxidorRcode code;

    RankRefusedException(String message, ProxidorRcode code) {
        super(message);
        this.code = code;
    }

    /** Returns the reason. */
    public ProxidorRcode code() {
        return code;
    }
}
