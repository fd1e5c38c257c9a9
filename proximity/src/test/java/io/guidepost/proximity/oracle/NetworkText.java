package io.guidepost.proximity.oracle;

import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import java.util.Comparator;

/** A network as text, which is the same for equal ones. */
final class NetworkText {
    private NetworkText() {}

    static String of(OperatorNetwork network) {
        StringBuilder text = new StringBuilder().append(network.topology().routing()).append('\n');
        network.topology().routers().values().forEach(each -> text.append(each).append('\n'));
        network.forEach((prefix, attachments) -> text.append(prefix)
                .append(attachments.stream()
                        .sorted(Comparator.comparing(PrefixAttachment::router).thenComparingInt(PrefixAttachment::nic))
                        .toList())
                .append('\n'));
        return text.toString();
    }
}
