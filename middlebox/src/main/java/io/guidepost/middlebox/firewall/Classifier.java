package io.guidepost.middlebox.firewall;

/** How the rule that fits is found. All find the same one. */
public enum Classifier {
    /** The list for a few rules, vectors for hundreds, the tree for more. */
    AUTO,
    /** Every packet is compared with every rule. */
    LIST,
    /** Bit vectors of the rules that each field fits; the tree in their place where there are too many rules. */
    VECTORS,
    /** A tree of comparisons, whose cost hardly grows with the rules. */
    TREE;

    Matcher compile(RuleTable table) {
        int boxes = table.size();
        if (this == LIST || this == AUTO && boxes <= Limits.LIST_BOXES_MAX) {
            return new RuleList(table);
        }
        return this == TREE || boxes > Limits.VECTOR_BOXES_MAX ? new RuleTree(table) : new RuleVectors(table);
    }
}
