package io.guidepost.packet.udp;

import io.guidepost.packet.Port;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;

/** Opens UDP ports. */
public final class UdpPorts {
    private UdpPorts() {}

    /**
     * Opens a port.
     *
     * @throws IOException in one line for the operator: which address cannot be bound, why, and what to do
     */
    public static Port open(UdpSettings settings) throws IOException {
        return switch (settings.backEnd()) {
            case KERNEL -> KernelPort.open(settings);
            case CHANNEL -> ChannelPort.open(settings);
            case BEST -> SystemCall.AVAILABLE ? KernelPort.open(settings) : ChannelPort.open(settings);
        };
    }
}
