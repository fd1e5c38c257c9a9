/** Cost maps: full and filtered costs between PIDs, multi-cost, and calendars. */
package io.guidepost.alto.cost;
