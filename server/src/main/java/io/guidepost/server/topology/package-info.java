/** The operator's topology in the server: its files, its live network, and why it ranks as it does. */
@NullMarked
package io.guidepost.server.topology;

import org.jspecify.annotations.NullMarked;
