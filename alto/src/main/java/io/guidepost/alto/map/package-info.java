/** Network maps: which addresses form a PID, by the operator's files or by the topology. */
package io.guidepost.alto.map;
