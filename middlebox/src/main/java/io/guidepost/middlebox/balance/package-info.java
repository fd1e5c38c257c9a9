/**
 * Balancing of a service's connections over back ends, by rewriting Ethernet addresses alone: back ends answer clients
 * directly (direct server return).
 */
@NullMarked
package io.guidepost.middlebox.balance;

import org.jspecify.annotations.NullMarked;
