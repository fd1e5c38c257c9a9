/** The operator's own network: routers, directed links, and the prefixes attached to them. */
package io.guidepost.proximity.topology;
