/** Scenes and load generators of the Handle system over UDP, TCP and HTTP, with slow clients (slowloris). */
@NullMarked
package io.guidepost.bench.handle;

import org.jspecify.annotations.NullMarked;

