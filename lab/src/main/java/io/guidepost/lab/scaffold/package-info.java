/** SCAFFOLD under a simulated clock, network and kernel: the gateways and the object router are the real ones. */
package io.guidepost.lab.scaffold;
