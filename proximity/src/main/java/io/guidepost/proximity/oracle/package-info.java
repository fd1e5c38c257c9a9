/** The P2P-Oracle's operator interface: its configuration files, dumps of them, and its console. */
package io.guidepost.proximity.oracle;
