package io.guidepost.middlebox.firewall;

import java.util.Optional;

/** How the rule that fits is found. All find the same one. */
public enum Classifier {
    /** The list for a few rules, products for more, the tree where these would be too large. */
    AUTO,
    /** Every packet is compared with every rule. */
    LIST,
    /** Tables of classes and their products; the tree in their place where they would be too large. */
    PRODUCTS,
    /** A tree of comparisons, whose cost hardly grows with the rules. */
    TREE;

    Matcher compile(RuleTable table) {
        int boxes = table.size();
        if (this == LIST || this == AUTO && boxes <= Limits.LIST_BOXES_MAX) {
            return new RuleList(table);
        }
        Optional<RuleProducts> products = this == TREE ? Optional.empty() : RuleProducts.of(table);
        return products.isPresent() ? products.get() : new RuleTree(table);
    }
}
