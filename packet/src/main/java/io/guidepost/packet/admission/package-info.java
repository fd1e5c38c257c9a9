/**
 * Admission control under every UDP protocol: which datagrams a worker answers when it gets more than it can answer. It lies
 * between the {@link io.guidepost.packet.worker.DatagramResponder} of a queue and the protocol's own handler.
 *
 * <pre>
 *  kernel ---------&gt; sockets of the port ---&gt; Responder -+-&gt; AdmissionHandler -&gt; handler of the protocol
 *    | ReuseportFilter                                     |     AdmissionPolicy: FairQueue or MaxMinLimiter
 *    +-------------&gt; FloodSockets ----------&gt; Responder -+     PendingDatagrams, which wait for a later turn
 *                      ^                                           |
 *                      +------- OverloadListener ------------------+
 * </pre>
 *
 * <p>A protocol contributes a {@link io.guidepost.base.DatagramClassifier}: the name that a datagram asks for, and who is
 * exempt. Everything else is the same for all protocols and all back ends; flood sockets are for the kernel's.
 */
package io.guidepost.packet.admission;
