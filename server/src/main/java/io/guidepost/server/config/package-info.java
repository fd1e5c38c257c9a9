/**
 * The configuration: one row per key, which drives parsing, checking, printing, environment variables and
 * documentation.
 */
@NullMarked
package io.guidepost.server.config;

import org.jspecify.annotations.NullMarked;
