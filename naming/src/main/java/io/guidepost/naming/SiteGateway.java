package io.guidepost.naming;

import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Value;
import java.io.IOException;
import java.util.List;

/** The other servers of a deployment: names are kept at some of them, and a write is done when a quorum has it. */
public interface SiteGateway {
    /** Returns whether there are others now. */
    boolean isShared();

    /**
     * Returns the places of a name wherever it is kept; waits for other servers.
     *
     * @throws IOException if they do not answer
     */
    List<Binding> find(Guid guid) throws IOException;

    /**
     * Writes a name at all servers that keep it; waits for a quorum of them.
     *
     * @param replace whether older places are removed
     * @param bindings the places; those that have ended are removed
     * @param values text and attributes, see {@link io.guidepost.names.NamedValues}
     * @throws IOException if they refuse, or do not answer
     */
    void write(Guid guid, boolean replace, List<Binding> bindings, List<Value> values) throws IOException;

    /** The gateway of a server that is alone. */
    SiteGateway ALONE = new SiteGateway() {
        @Override
        public boolean isShared() {
            return false;
        }

        @Override
        public List<Binding> find(Guid guid) {
            return List.of();
        }

        @Override
        public void write(Guid guid, boolean replace, List<Binding> bindings, List<Value> values) {
            throw new IllegalStateException("a server that is alone writes to its own store");
        }
    };
}
