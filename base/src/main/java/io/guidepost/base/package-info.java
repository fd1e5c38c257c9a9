/** The ground under names and packets: addresses, prefixes, memory, counters, histograms, token bucket, sketch. */
package io.guidepost.base;
