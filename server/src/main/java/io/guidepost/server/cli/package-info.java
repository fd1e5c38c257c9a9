/** The guidepost command: its entry point, serve, and the demonstration. */
package io.guidepost.server.cli;
