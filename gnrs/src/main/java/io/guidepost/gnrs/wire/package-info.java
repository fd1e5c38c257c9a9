/** The wire format of GNRS: layout, in-place flyweight, messages as objects, options, and the bounds of it all. */
package io.guidepost.gnrs.wire;
