/** Traces of GNRS requests: reading the formats in use, inventing new ones, replaying them against a server. */
@NullMarked
package io.guidepost.lab.trace;

import org.jspecify.annotations.NullMarked;
