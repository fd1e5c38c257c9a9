/** Commands of the topology: rank, the console, topology files and their conversion. */
package io.guidepost.server.cli.topology;
