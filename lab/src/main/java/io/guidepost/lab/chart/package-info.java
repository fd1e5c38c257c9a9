/** Charts as SVG and tables as CSV, for results of studies. */
@NullMarked
package io.guidepost.lab.chart;

import org.jspecify.annotations.NullMarked;
