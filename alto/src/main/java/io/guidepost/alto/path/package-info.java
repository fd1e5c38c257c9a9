/** Path vectors: the network elements that paths share (RFC 9275). */
@NullMarked
package io.guidepost.alto.path;

import org.jspecify.annotations.NullMarked;
