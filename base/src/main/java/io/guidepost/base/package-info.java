/** The ground under names and packets: addresses, prefixes, memory, counters, histograms, token bucket, sketch. */
@NullMarked
package io.guidepost.base;

import org.jspecify.annotations.NullMarked;
