/** What operators of the P2P-Oracle know: its configuration files, dumps of them, and its console. */
@NullMarked
package io.guidepost.proximity.oracle;

import org.jspecify.annotations.NullMarked;
