/** The values of a record: types, permissions, TTLs, administrators, groups and sites (RFC 3651 section 3). */
package io.guidepost.handle.value;
