package io.guidepost.middlebox.firewall;

import java.util.Optional;

/** The packet classification algorithm. All find the same rule. */
public enum ClassifierKind {
    /** Linear for a few rules, RFC for more; HyperSplit where its tables would be too large. */
    AUTO,
    /** Linear search: every packet is compared with every rule. */
    LIST,
    /** Recursive flow classification; HyperSplit where its tables would be too large. */
    PRODUCTS,
    /** HyperSplit: a decision tree, whose cost hardly grows with the rules. */
    TREE;

    PacketClassifier compile(RuleTable table) {
        if (this == LIST || this == AUTO && table.size() <= FirewallLimits.LIST_BOXES_MAX) {
            return new LinearClassifier(table);
        }
        Optional<RfcClassifier> products = this == TREE ? Optional.empty() : RfcClassifier.of(table);
        return products.isPresent() ? products.get() : new HyperSplitClassifier(table);
    }
}
