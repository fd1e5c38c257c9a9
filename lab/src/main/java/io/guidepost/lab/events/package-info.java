/** Time and chance of simulations: events in the order of a simulated clock. */
package io.guidepost.lab.events;
