/**
 * Load balancing of connections over back ends by rewriting Ethernet addresses (direct server return), with health
 * checks and connection tracking.
 */
package io.guidepost.middlebox.balance;
