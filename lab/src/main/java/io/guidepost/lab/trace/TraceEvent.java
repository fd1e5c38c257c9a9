package io.guidepost.lab.trace;

import io.guidepost.gnrs.client.GnrsRequest;

/**
 * One event of a trace. Immutable.
 *
 * @param line its line in the file, from 1
 * @param number the number in its first column: a sequence number, or a time in milliseconds, by the format
 * @param request the request
 */
record TraceEvent(long line, long number, GnrsRequest request) {}
