/** The {@code guidepost} command: one class for each of its subcommands. */
@org.jspecify.annotations.NullMarked
package io.guidepost.server.cli;
