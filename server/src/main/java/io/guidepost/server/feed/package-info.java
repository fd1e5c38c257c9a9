/** Connections to routers that tell of prefixes: BGP, BMP and files of MRT, brought into the network that is asked. */
@NullMarked
package io.guidepost.server.feed;

import org.jspecify.annotations.NullMarked;
