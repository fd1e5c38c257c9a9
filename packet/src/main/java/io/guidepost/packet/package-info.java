/** The packet framework: ports, queues and bursts, usable without the rest of Guidepost. */
@NullMarked
package io.guidepost.packet;

import org.jspecify.annotations.NullMarked;
