package io.guidepost.proximity.bgp;

import io.guidepost.base.Prefix;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a peer tells, one line each. */
final class RecordingRouteSink implements BgpRouteSink {
    final List<String> lines = new ArrayList<>();

    @Override
    public void established() {
        lines.add("begin");
    }

    @Override
    public void announced(Prefix prefix, int pathId, BgpRoute route) {
        lines.add("+" + prefix + (pathId == 0 ? "" : "#" + pathId) + " " + route.origin() + " " + route.distance() + " "
                + route.nextHop());
    }

    @Override
    public void withdrawn(Prefix prefix, int pathId) {
        lines.add("-" + prefix + (pathId == 0 ? "" : "#" + pathId));
    }

    @Override
    public void endOfRib(AddressFamily family) {
        lines.add("end " + family);
    }
}
