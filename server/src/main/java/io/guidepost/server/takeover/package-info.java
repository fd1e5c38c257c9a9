/** One process of a server takes over from another: sockets, connections and the store change hands, and no request is lost. */
@NullMarked
package io.guidepost.server.takeover;

import org.jspecify.annotations.NullMarked;
