/** The commands simulate cluster and simulate dmap of a checkout. */
package io.guidepost.lab.command;
