/** ALTO over HTTP (RFC 7285 and its extensions): network maps, cost maps and the order of endpoints. */
@NullMarked
package io.guidepost.alto;

import org.jspecify.annotations.NullMarked;
