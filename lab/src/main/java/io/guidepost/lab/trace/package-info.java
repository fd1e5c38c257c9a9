/** Traces of GNRS requests: reading the formats in use, inventing new ones, replaying them against a server. */
package io.guidepost.lab.trace;
