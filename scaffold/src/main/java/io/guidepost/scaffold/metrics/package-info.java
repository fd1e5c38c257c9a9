/** What the flows of a gateway count, for its operator. */
package io.guidepost.scaffold.metrics;
