/** Power loss: a process's calls to its files are journaled, and the disks that a power loss could leave are made of them. */
@NullMarked
package io.guidepost.store.power;

import org.jspecify.annotations.NullMarked;
