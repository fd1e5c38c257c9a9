package io.guidepost.middlebox.firewall;

import java.util.Optional;

/** How the rule that fits is found. All find the same one. */
public enum ClassifierKind {
    /** The list for a few rules, products for more; where these would be too large vectors, or the tree. */
    AUTO,
    /** Every packet is compared with every rule. */
    LIST,
    /** Tables of classes and their products; where they would be too large, what comes next. */
    PRODUCTS,
    /** Bit vectors of the rules that each field fits; the tree in their place where there are too many rules. */
    VECTORS,
    /** A tree of comparisons, whose cost hardly grows with the rules. */
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
