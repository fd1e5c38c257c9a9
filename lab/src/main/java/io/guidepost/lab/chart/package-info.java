/** Charts as SVG and tables as CSV, for results of studies. */
package io.guidepost.lab.chart;
