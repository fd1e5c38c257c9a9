/** Workers: threads that run duty cycles, how they sleep, wake up and are scheduled. */
package io.guidepost.packet.worker;
