/** Commands of the middleboxes: firewall, nat, balance, forward, capture, generate, ports. */
@NullMarked
package io.guidepost.server.cli.boxes;

import org.jspecify.annotations.NullMarked;
