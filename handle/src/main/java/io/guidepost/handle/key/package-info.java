/** Keys of the Handle system: their records in values, their files on disk, and the keys of the JDK that they are. */
@NullMarked
package io.guidepost.handle.key;

import org.jspecify.annotations.NullMarked;
