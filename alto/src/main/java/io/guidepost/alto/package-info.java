/** ALTO over HTTP (RFC 7285 and its extensions): the snapshot, and the resources that are rendered from it. */
@NullMarked
package io.guidepost.alto;

import org.jspecify.annotations.NullMarked;
