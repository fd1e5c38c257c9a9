/** Public and private keys: their records in values, their files on disk, and the JDK's keys. */
package io.guidepost.handle.key;
