/** The wire format of SCAFFOLD: control messages, the header of carried packets, and the bounds of it all. */
package io.guidepost.scaffold.wire;
