/**
 * Ranking: shortest paths, the operator's formula, and immutable snapshots that rank addresses at the speed of memory.
 */
@NullMarked
package io.guidepost.proximity.ranking;

import org.jspecify.annotations.NullMarked;
