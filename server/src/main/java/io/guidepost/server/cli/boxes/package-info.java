/** Commands of the middleboxes: firewall, nat, balance, forward, capture, generate, ports. */
package io.guidepost.server.cli.boxes;
