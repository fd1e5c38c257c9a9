/**
 * The GNRS door of one worker: LOOKUP, INSERT and UPDATE in, their responses out; pure functions of bytes, clock and
 * store.
 */
package io.guidepost.gnrs;
