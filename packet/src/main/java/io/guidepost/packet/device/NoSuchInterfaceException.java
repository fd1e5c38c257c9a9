package io.guidepost.packet.device;

import java.io.IOException;

/** There is no interface of a name; the message says which there are. */
public final class NoSuchInterfaceException extends IOException {
    private static final long serialVersionUID = 1;

    NoSuchInterfaceException(String message) {
        super(message);
    }
}
