/** The table of back ends: opens a port of frames by its name. */
package io.guidepost.packet.backend;
