/** Commands of SCAFFOLD: the gateway of this host, what it offers, its flows and ways, keys, and the demonstration. */
package io.guidepost.server.cli.scaffold;
