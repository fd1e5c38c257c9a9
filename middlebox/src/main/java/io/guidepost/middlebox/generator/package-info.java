/** A traffic generator, and the receiver that measures loss, duplication, reordering and latency. */
package io.guidepost.middlebox.generator;
