/** The operator's own network: routers, directed links, and the prefixes attached to them. */
@NullMarked
package io.guidepost.proximity.topology;

import org.jspecify.annotations.NullMarked;
