/**
 * The transport between the servers of a deployment: peers and their health, requests with ids, retries and deadlines,
 * message authentication.
 */
package io.guidepost.gnrs.peer;
