/** Readers of topologies and prefix lists in several file formats, merged into one network. */
package io.guidepost.proximity.input;
