package io.guidepost.packet.device;

import java.io.IOException;

/** There is no interface of a name; the message says which there are. */
public final class NoSuchInterfaceException extends IOException {
    NoSuchInterfaceException(String message) {
        super(message);
    }
}
