package io.guidepost.middlebox.firewall;

import java.util.Optional;

/** The packet classification algorithm. All find the same rule. */
public enum ClassifierKind {
    /** Linear for a few rules, RFC for more; where its tables would be too large bit vectors, or HyperSplit. */
    AUTO,
    /** Linear search: every packet is compared with every rule. */
    LIST,
    /** Recursive flow classification; where its tables would be too large, the next algorithm. */
    PRODUCTS,
    /** Bit vectors of the rules that each field matches; HyperSplit where there are too many rules. */
    VECTORS,
    /** HyperSplit: a decision tree, whose cost hardly grows with the rules. */
    TREE;

    PacketClassifier compile(RuleTable table) {
        int boxes = table.size();
        if (this == LIST || this == AUTO && boxes <= FirewallLimits.LIST_BOXES_MAX) {
            return new LinearClassifier(table);
        }
        Optional<RfcClassifier> products =
                this == AUTO || this == PRODUCTS ? RfcClassifier.of(table) : Optional.empty();
        if (products.isPresent()) {
            return products.get();
        }
        return this == TREE || boxes > FirewallLimits.VECTOR_BOXES_MAX ? new HyperSplitClassifier(table) : new BitVectorClassifier(table);
    }
}
