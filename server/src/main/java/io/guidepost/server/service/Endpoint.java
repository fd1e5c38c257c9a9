package io.guidepost.server.service;

import io.guidepost.base.AddressText;
import io.guidepost.server.config.ValueKind;
import io.guidepost.web.JsonWriter;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * Where a service is reached.
 *
 * @param service name of the service
 * @param transport how
 * @param address at which address and port number
 * @param port the port of frames that it is on, as {@code packet:eth0}; empty for a socket of the kernel
 * @param protocol what is spoken there, for people
 */
public record Endpoint(String service, Transport transport, InetSocketAddress address, String port, String protocol) {
    /** What carries the messages. */
    public enum Transport {
        UDP,
        TCP,
        HTTP
    }

    /** A socket of the kernel. */
    public static Endpoint of(String service, Transport transport, InetSocketAddress address, String protocol) {
        return new Endpoint(service, transport, address, "", protocol);
    }

    public Map<String, Object> json() {
        return JsonWriter.object(
                "service", service,
                "transport", ValueKind.dashed(transport),
                "address", AddressText.of(address),
                "port", port.isEmpty() ? "kernel" : port);
    }
}
