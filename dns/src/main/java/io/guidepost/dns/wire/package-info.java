/** Messages of the DNS (RFC 1035, RFC 6891, RFC 7871, RFC 9018): names, questions, cookies, and the bounds of the door. */
package io.guidepost.dns.wire;
