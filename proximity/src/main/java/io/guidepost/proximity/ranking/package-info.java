/**
 * Ranking: shortest paths, the operator's formula, and immutable snapshots that rank addresses at the speed of memory.
 */
package io.guidepost.proximity.ranking;
