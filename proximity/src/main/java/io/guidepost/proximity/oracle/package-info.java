/** The P2P-Oracle's operator interface: its configuration files, dumps of them, and its console. */
@NullMarked
package io.guidepost.proximity.oracle;

import org.jspecify.annotations.NullMarked;
