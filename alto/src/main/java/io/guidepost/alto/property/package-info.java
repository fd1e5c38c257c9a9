/** Entity properties: of addresses, blocks and PIDs (RFC 9240). */
package io.guidepost.alto.property;
