package io.guidepost.middlebox.firewall;

import java.util.Optional;

/** How the rule that fits is found. All find the same one. */
public enum Classifier {
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

    Matcher compile(RuleTable table) {
        int boxes = table.size();
        if (this == LIST || this == AUTO && boxes <= Limits.LIST_BOXES_MAX) {
            return new RuleList(table);
        }
        Optional<RuleProducts> products =
                this == AUTO || this == PRODUCTS ? RuleProducts.of(table) : Optional.empty();
        if (products.isPresent()) {
            return products.get();
        }
        return this == TREE || boxes > Limits.VECTOR_BOXES_MAX ? new RuleTree(table) : new RuleVectors(table);
    }
}
