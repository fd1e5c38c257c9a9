/** Flows: their table and states, and the kernel's TCP carried on from one instance to the next. Pure: no clock, no I/O. */
package io.guidepost.scaffold.flow;
