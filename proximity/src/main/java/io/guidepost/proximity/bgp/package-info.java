/** Routing feeds: BGP, BMP and MRT as functions of bytes, without input or output of their own. */
package io.guidepost.proximity.bgp;
