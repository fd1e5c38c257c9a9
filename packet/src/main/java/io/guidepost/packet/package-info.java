/**
 * The packet framework: ports, queues and bursts, usable without the rest of Guidepost.
 *
 * <p>A {@link io.guidepost.packet.Port} has queues. A {@link io.guidepost.packet.worker.Worker} is a thread that serves
 * one queue of each port, receives packets in {@linkplain io.guidepost.packet.Burst bursts}, and sends bursts back. An
 * echo server:
 *
 * {@snippet :
 * InetSocketAddress address = new InetSocketAddress("127.0.0.1", 5000);
 * try (Port port = Udp.open(UdpSettings.of(address));
 *         Worker worker = new Worker(WorkerSettings.of("echo-0").withCpu(1))) {
 *     Handler echo = (in, i, out) -> {
 *         int length = Math.min(in.length(i), out.roomBytes());
 *         MemorySegment.copy(in.segment(), in.offset(i), out.segment(), out.room(), length);
 *         out.append(length, in, i);
 *     };
 *     worker.watch(port.rx(0)).add(new Responder(port.rx(0), port.tx(0), echo)).start();
 *     System.out.println(port.name() + " answers; press Enter to end");
 *     System.in.read();
 * }
 * }
 *
 * <table>
 * <caption>Back ends, as rows of equal standing</caption>
 * <tr><th>back end<th>open<th>receive a burst<th>send a burst<th>wait<th>close
 * <tr><td>kernel UDP, Linux<td>socket, bind; one SO_REUSEPORT socket for each queue, a second for
 *     {@linkplain io.guidepost.packet.admission.FloodSockets floods}<td>recvmmsg, trains split
 *     (UDP_GRO)<td>sendmmsg, trains joined (UDP_SEGMENT)<td>ppoll<td>the descriptor idles until its worker let go
 * <tr><td>channel UDP, any system<td>DatagramChannel<td>a receive for each<td>a send for each<td>Selector<td>close
 * <tr><td>frames by AF_XDP, Linux<td>a program on the interface, a socket for each queue, packet memory shared with the
 *     kernel<td>from a ring, which free pieces go back for<td>into a ring, then sendto if the kernel wants it<td>ppoll<td>the
 *     program leaves the interface, all pieces come back
 * <tr><td>in memory, for simulation<td>an address of a network object<td>from a bounded queue<td>into the receiver's
 *     queue, with the loss that the network was told<td>the sender wakes the receiver<td>the address is free again
 * </table>
 */
package io.guidepost.packet;
