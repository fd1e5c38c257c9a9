/**
 * Place tables: which place each address is at, by longest-prefix match in DIR-24-8 pages (IPv4) and tries (IPv6),
 * edited by copy-on-write.
 */
package io.guidepost.proximity.place;
