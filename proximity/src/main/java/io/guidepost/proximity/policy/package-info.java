/** Import policy: which routes of routers are taken into the network, as BGP routers decide it. */
@NullMarked
package io.guidepost.proximity.policy;

import org.jspecify.annotations.NullMarked;
