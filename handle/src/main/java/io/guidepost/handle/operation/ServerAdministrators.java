package io.guidepost.handle.operation;

import io.guidepost.handle.value.ValueReference;
import java.util.List;

/**
 * The identities to which the operator gives rights over the server itself; in parentheses their names at existing servers.
 *
 * @param server who homes prefixes ({@code server_admins})
 * @param status who reads {@code 0.SITE/status} ({@code status_handle_admins})
 * @param replication the mirrors that may follow this server ({@code replication_admins})
 */
public record ServerAdministrators(
        List<ValueReference> server, List<ValueReference> status, List<ValueReference> replication) {
    /** Copies the lists. */
    public ServerAdministrators {
        server = List.copyOf(server);
        status = List.copyOf(status);
        replication = List.copyOf(replication);
    }
}
