/** A client of ALTO (RFC 7285) over HTTP. */
@NullMarked
package io.guidepost.alto.client;

import org.jspecify.annotations.NullMarked;
