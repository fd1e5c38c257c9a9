/** Small programs on the packet framework; not shipped. */
module io.guidepost.examples {
    requires transitive io.guidepost.packet;
    requires static transitive org.jspecify;
}
