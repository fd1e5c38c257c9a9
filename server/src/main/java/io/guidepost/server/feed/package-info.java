/** Routing feeds over BGP, BMP and MRT files, which tell the topology where prefixes are attached. */
package io.guidepost.server.feed;
