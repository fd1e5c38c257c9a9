/** What someone writes with the packet framework; docs/packet.md shows it. */
@NullMarked
package io.guidepost.example;

import org.jspecify.annotations.NullMarked;
