/** Public and private keys: their records in values, their files on disk, and the JDK's keys. */
@NullMarked
package io.guidepost.handle.key;

import org.jspecify.annotations.NullMarked;
