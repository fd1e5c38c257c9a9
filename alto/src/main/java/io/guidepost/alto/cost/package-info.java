/** Cost maps: full and filtered costs between PIDs, multi-cost, and calendars. */
@NullMarked
package io.guidepost.alto.cost;

import org.jspecify.annotations.NullMarked;
