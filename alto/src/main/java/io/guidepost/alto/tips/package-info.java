/** TIPS: the versions of a resource as a graph of updates that a client fetches at its own pace (RFC 9569). */
package io.guidepost.alto.tips;
