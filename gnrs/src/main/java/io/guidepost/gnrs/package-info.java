/** The GNRS door: codec, DMap placement, handler and client. */
@NullMarked
package io.guidepost.gnrs;

import org.jspecify.annotations.NullMarked;
