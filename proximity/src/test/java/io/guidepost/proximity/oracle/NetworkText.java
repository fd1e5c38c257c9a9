package io.guidepost.proximity.oracle;

import io.guidepost.proximity.topology.Attachment;
import io.guidepost.proximity.topology.Network;
import java.util.Comparator;

/** A network as text, which is the same for equal ones. */
final class NetworkText {
    private NetworkText() {}

    static String of(Network network) {
        StringBuilder text = new StringBuilder().append(network.topology().routing()).append('\n');
        network.topology().routers().values().forEach(each -> text.append(each).append('\n'));
        network.forEach((prefix, attachments) -> text.append(prefix)
                .append(attachments.stream()
                        .sorted(Comparator.comparing(Attachment::router).thenComparingInt(Attachment::nic))
                        .toList())
                .append('\n'));
        return text.toString();
    }
}
