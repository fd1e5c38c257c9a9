/** The values of a record: types, permissions, TTLs, administrators, groups and sites (RFC 3651 section 3). */
@NullMarked
package io.guidepost.handle.value;

import org.jspecify.annotations.NullMarked;
