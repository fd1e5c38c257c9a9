/**
 * The firewall: rules of a text file, compiled once, matched against bursts of frames. It keeps no state of connections.
 * {@link io.guidepost.middlebox.firewall.FirewallRule} says what can be written.
 */
@NullMarked
package io.guidepost.middlebox.firewall;

import org.jspecify.annotations.NullMarked;
