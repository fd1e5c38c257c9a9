package io.guidepost.middlebox.firewall;

/** How the rule that fits is found. All find the same one. */
public enum Classifier {
    /** The list for few rules, the tree for many. */
    AUTO,
    /** Every packet is compared with every rule. */
    LIST,
    /** A tree of comparisons, whose cost hardly grows with the rules. */
    TREE;

    Matcher compile(RuleTable table) {
        boolean list = this == LIST || this == AUTO && table.size() <= Limits.LIST_BOXES_MAX;
        return list ? new RuleList(table) : new RuleTree(table);
    }
}
