/**
 * Load balancing of connections over back ends by rewriting Ethernet addresses (direct server return), with health
 * checks and connection tracking.
 */
@NullMarked
package io.guidepost.middlebox.balance;

import org.jspecify.annotations.NullMarked;
