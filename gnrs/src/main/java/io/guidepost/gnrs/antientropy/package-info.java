/**
 * Anti-entropy: compares range digests with peers, reconciles what differs, rebalances what is placed elsewhere,
 * replays hints.
 */
@NullMarked
package io.guidepost.gnrs.antientropy;

import org.jspecify.annotations.NullMarked;
