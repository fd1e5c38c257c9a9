package io.guidepost.server.feed;

import io.guidepost.base.Address;
import io.guidepost.proximity.bgp.RouteExit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The router of the topology for each neighbour that a feed names by address, AS or name. An empty directory takes the
 * router with the neighbour's address; any other knows only the neighbours that it lists.
 *
 * @param routers by address, AS or name of the neighbour
 */
public record RouterDirectory(Map<String, RouteExit> routers) {
    /** Nothing is said of anybody. */
    public static final RouterDirectory AUTOMATIC = new RouterDirectory(Map.of());

    /** Copies the map. */
    public RouterDirectory {
        routers = Map.copyOf(routers);
    }

    /**
     * Reads texts such as {@code 192.0.2.1=10.1.0.1}, {@code AS65001=10.1.0.1} or {@code edge1=10.1.0.1}.
     *
     * @throws IllegalArgumentException saying what would be right
     */
    public static RouterDirectory parse(List<String> texts) {
        Map<String, RouteExit> routers = new LinkedHashMap<>();
        for (String each : texts) {
            int equals = each.lastIndexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("'" + each + "' names no router: write NAME=ADDRESS, such as "
                        + "192.0.2.1=10.1.0.1, AS65001=10.1.0.1 or edge1=10.1.0.1");
            }
            String name = each.substring(0, equals).strip();
            String canonical = name.indexOf(':') >= 0 ? BgpPeer.router(name).toString() : name;
            routers.put(canonical, new RouteExit(BgpPeer.router(each.substring(equals + 1).strip()), 0));
        }
        return new RouterDirectory(routers);
    }

    /** The router that somebody is, by the first name that something is said of. */
    Optional<RouteExit> find(Address address, String... names) {
        if (routers.isEmpty()) {
            return Optional.of(new RouteExit(address, 0));
        }
        RouteExit known = routers.get(address.toString());
        for (int i = 0; known == null && i < names.length; i++) {
            known = routers.get(names[i]);
        }
        return Optional.ofNullable(known);
    }
}
