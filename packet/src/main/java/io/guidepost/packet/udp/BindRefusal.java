package io.guidepost.packet.udp;

import io.guidepost.base.AddressText;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The one-line error message for an address that cannot be bound. */
public final class BindRefusal {
    private BindRefusal() {}

    /** Returns cause and remedy for an error number of the kernel. */
    public static IOException of(InetSocketAddress address, int error) {
        return new IOException("UDP " + AddressText.of(address) + " cannot be opened: " + SystemCall.meaning(error) + "; "
                + advice(address, error));
    }

    /** Returns the same for an exception of the JDK, whose text names the error. */
    static IOException of(InetSocketAddress address, Exception cause) {
        return new IOException(
                "UDP " + AddressText.of(address) + " cannot be opened: " + cause.getMessage() + "; "
                        + advice(address, error(cause.getMessage())),
                cause);
    }

    private static int error(@Nullable String message) {
        String text = message == null ? "" : message;
        if (text.contains("in use")) {
            return SystemCall.EADDRINUSE;
        }
        return text.contains("ermission") ? SystemCall.EACCES : 0;
    }

    private static String advice(InetSocketAddress address, int error) {
        return switch (error) {
            case SystemCall.EADDRINUSE ->
                "another program has it: end that (ss -ulpn 'sport = :" + address.getPort()
                        + "' names it) or choose another port number";
            case SystemCall.EACCES, SystemCall.EPERM ->
                "port numbers below 1024 need the capability CAP_NET_BIND_SERVICE: grant it, or choose a higher one";
            case SystemCall.EADDRNOTAVAIL ->
                "choose an address that this machine has (ip address shows them), or 0.0.0.0 or [::] for all";
            default -> "choose another address or port number";
        };
    }
}
