/**
 * The configuration: one row per key, which drives parsing, checking, printing, environment variables and
 * documentation.
 */
package io.guidepost.server.config;
