/** Routing feeds: BGP, BMP and MRT as functions of bytes, without input or output of their own. */
@NullMarked
package io.guidepost.proximity.bgp;

import org.jspecify.annotations.NullMarked;
