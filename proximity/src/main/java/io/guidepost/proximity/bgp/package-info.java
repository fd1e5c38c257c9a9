/** What routers tell of prefixes and the ways to them: BGP, BMP and MRT, read without input or output of their own. */
@NullMarked
package io.guidepost.proximity.bgp;

import org.jspecify.annotations.NullMarked;
