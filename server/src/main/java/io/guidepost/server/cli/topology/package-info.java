/** Commands of the topology: rank, the console, topology files and their conversion. */
@NullMarked
package io.guidepost.server.cli.topology;

import org.jspecify.annotations.NullMarked;
