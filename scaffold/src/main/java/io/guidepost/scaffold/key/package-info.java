/** Keys of hosts and objects, what two hosts agree on, and the seals of control messages. Pure: no clock, no I/O. */
package io.guidepost.scaffold.key;
