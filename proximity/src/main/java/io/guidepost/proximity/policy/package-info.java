/** Import policy: which routes of routers are taken into the network, as BGP routers decide it. */
package io.guidepost.proximity.policy;
