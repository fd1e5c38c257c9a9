/** The guidepost command: its entry point, serve, and the demonstration. */
@NullMarked
package io.guidepost.server.cli;

import org.jspecify.annotations.NullMarked;
