/** {@code guidepost fleet}: the tables of a cluster, and whether it answers. */
package io.guidepost.server.cli.fleet;
