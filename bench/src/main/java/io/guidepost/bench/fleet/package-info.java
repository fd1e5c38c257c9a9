/** What a front end of a fleet costs, against a server with its own files and against the bare driver of its cluster. */
package io.guidepost.bench.fleet;
