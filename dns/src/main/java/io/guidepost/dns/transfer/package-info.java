/** Transfers of the zone to secondaries: AXFR, IXFR, NOTIFY, and the journal of changes that they need. */
package io.guidepost.dns.transfer;
