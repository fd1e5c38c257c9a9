/** Path vectors: what the ways between places have in common (RFC 9275). */
@NullMarked
package io.guidepost.alto.path;

import org.jspecify.annotations.NullMarked;
