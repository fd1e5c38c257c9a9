/**
 * Anti-entropy: compares range digests with peers, reconciles what differs, rebalances what is placed elsewhere,
 * replays hints.
 */
package io.guidepost.gnrs.antientropy;
