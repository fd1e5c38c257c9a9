/**
 * The stateless firewall: rules of a text file, compiled once, matched against bursts of frames. {@link
 * io.guidepost.middlebox.firewall.FirewallRule} documents their syntax.
 */
package io.guidepost.middlebox.firewall;
