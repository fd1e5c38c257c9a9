/** Load generators in open and closed loops, the requests that they send, and the result of one run. */
package io.guidepost.bench.load;
