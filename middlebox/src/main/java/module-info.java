import org.jspecify.annotations.NullMarked;

/** Middleboxes on the packet framework: firewall, address translation, forwarding, balancing. */
@NullMarked
module io.guidepost.middlebox {
    requires transitive io.guidepost.packet;
    requires transitive io.guidepost.proximity;
    requires static transitive org.jspecify;

    exports io.guidepost.middlebox;
    exports io.guidepost.middlebox.balance;
    exports io.guidepost.middlebox.firewall;
    exports io.guidepost.middlebox.forward;
    exports io.guidepost.middlebox.generator;
    exports io.guidepost.middlebox.nat;
}
