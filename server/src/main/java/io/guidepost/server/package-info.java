/** The house: configuration, wiring of doors to ports, admin port, and the guidepost command. */
@NullMarked
package io.guidepost.server;

import org.jspecify.annotations.NullMarked;
