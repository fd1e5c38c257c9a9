/** Routing feeds over BGP, BMP and MRT files, which tell the topology where prefixes are attached. */
@NullMarked
package io.guidepost.server.feed;

import org.jspecify.annotations.NullMarked;
