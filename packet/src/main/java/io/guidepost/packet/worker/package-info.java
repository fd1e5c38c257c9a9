/** Workers: threads that run duty cycles, how they sleep, wake up and are scheduled. */
@NullMarked
package io.guidepost.packet.worker;

import org.jspecify.annotations.NullMarked;
