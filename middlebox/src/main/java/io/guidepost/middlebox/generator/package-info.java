/** A traffic generator, and the receiver that measures loss, duplication, reordering and latency. */
@NullMarked
package io.guidepost.middlebox.generator;

import org.jspecify.annotations.NullMarked;
