package io.guidepost.scaffold.flow;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.Tlv;
import org.jspecify.annotations.Nullable;

/** Takes the control messages of other hosts and of object routers, if their seals are right. Belongs to one thread. */
final class ControlReceiver {
    private final LocalHost host;
    private final RouterClient routers;
    private final ClientFlows clients;
    private final ServedFlows served;

    ControlReceiver(LocalHost host, RouterClient routers, ClientFlows clients, ServedFlows served) {
        this.host = host;
        this.routers = routers;
        this.clients = clients;
        this.served = served;
    }

    /**
     * Takes a message that was parsed.
     *
     * @param way that it came by
     */
    void take(ControlMessage message, int way, HostLocator from) {
        if (routers.take(message, from)) {
            return;
        }
        switch (message.type()) {
            case SYN, RSYN -> {
                RouterSession session = checkedRouter(message, message.guidOrNull(Tlv.VIA));
                if (session == null) {
                    return;
                }
                if (!message.has(Tlv.INSTANCE) || !message.has(Tlv.OBSERVED)) {
                    host.counts.count(FlowCount.DROPS_NOT_ALLOWED);
                } else {
                    served.asked(message, way, session);
                }
            }
            case SYNACK, RSYNACK -> clients.answered(message, way, from);
            case NOTICE -> {
                if (checkedRouter(message, message.guid(Tlv.HOST)) != null) {
                    clients.noticed(message.guid(Tlv.INSTANCE));
                }
            }
            case RESET -> reset(message);
            case FAIL -> failed(message);
            case REKEY_ACK -> rekeyed(message);
            case PATH_CHALLENGE, PATH_RESPONSE, MOVE, MOVE_ACK, REKEY -> ofPeer(message, way, from);
            default -> host.counts.count(FlowCount.DROPS_MALFORMED);
        }
    }

    /** Returns the object router that has sealed a message; null if its seal is wrong. */
    private @Nullable RouterSession checkedRouter(ControlMessage message, @Nullable Guid router) {
        RouterSession session = router == null ? null : routers.find(router);
        if (session == null || !session.check(message)) {
            host.counts.count(FlowCount.DROPS_SEAL);
            return null;
        }
        return session;
    }

    private void reset(ControlMessage message) {
        CarriedFlow flow = host.flows.find(message.receiverFlow());
        if (routers.find(message.guid(Tlv.HOST)) != null) {
            if (checkedRouter(message, message.guid(Tlv.HOST)) != null && flow != null && flow.client && message.epoch() == flow.epoch) {
                clients.refused(flow, message.reason());
            }
            return;
        }
        PeerHost peer = checkedPeer(message);
        if (peer != null && flow != null && flow.peer() == peer && message.epoch() == flow.epoch) {
            if (flow.client) {
                clients.lose(flow, message.reason(), message.reason() != Reason.NO_FLOW);
            } else {
                served.forgotten(flow);
            }
        }
    }

    private @Nullable PeerHost checkedPeer(ControlMessage message) {
        PeerHost peer = host.peers.get(message.guid(Tlv.HOST));
        if (peer == null || !peer.check(message)) {
            host.counts.count(FlowCount.DROPS_SEAL);
            return null;
        }
        return peer;
    }

    /** Another host has agreed with this one's key of the hour, and is shown that this has agreed as well. */
    private void rekeyed(ControlMessage message) {
        PeerHost there = host.peers.get(message.guid(Tlv.HOST));
        PeerHost peer = host.answerer(message, there != null && !there.association().isBy(host.share));
        if (peer != null) {
            host.control.begin(MessageType.PATH_RESPONSE, 0, 0, 0, 0, peer.association()).longNumber(Tlv.NONCE, 0);
            peer.send();
        }
    }

    private void ofPeer(ControlMessage message, int way, HostLocator from) {
        PeerHost peer = checkedPeer(message);
        if (peer == null) {
            return;
        }
        switch (message.type()) {
            case PATH_CHALLENGE -> {
                peer.doubt();
                if (message.receiverFlow() != 0 && !isThere(message, peer)) {
                    long theirs = message.senderFlow();
                    host.control.begin(MessageType.RESET, 0, theirs, 0, message.epoch(), peer.association())
                            .reason(Reason.NO_FLOW);
                    host.control.send(peer.association(), way, from);
                    return;
                }
                host.control.begin(MessageType.PATH_RESPONSE, 0, 0, 0, 0, peer.association())
                        .longNumber(Tlv.NONCE, message.longNumber(Tlv.NONCE));
                host.control.send(peer.association(), way, from);
            }
            case PATH_RESPONSE -> answeredProbe(message, peer);
            case MOVE -> {
                if (peer.moved(message, way, from)) {
                    host.sendHeld(peer);
                }
            }
            case MOVE_ACK -> {
                if (peer.moveAcknowledged(message.longNumber(Tlv.NONCE), way, from)) {
                    peer.suspicion.heard(host.nowNanos);
                    host.sendHeld(peer);
                }
            }
            default -> {
                // REKEY: it uses another key of the hour.
                if (host.asker(message) == peer) {
                    peer.sendKeys(MessageType.REKEY_ACK);
                }
            }
        }
    }

    /** An instance cannot serve a flow: its host may be one that has not answered before. */
    private void failed(ControlMessage message) {
        CarriedFlow flow = host.flows.find(message.receiverFlow());
        boolean shown = message.has(Tlv.HOST_KEY) && message.has(Tlv.KEY_SHARE);
        if (flow == null || !flow.client || message.epoch() != flow.epoch) {
            host.counts.count(FlowCount.DROPS_FLOW_UNKNOWN);
            return;
        }
        PeerHost peer = shown ? host.answerer(message, flow.state == CarriedFlow.State.REQUESTED) : checkedPeer(message);
        if (peer == null) {
            return;
        }
        if (flow.state == CarriedFlow.State.REQUESTED) {
            flow.exclude(message.guidOrNull(Tlv.INSTANCE));
            clients.lose(flow, message.reason(), false);
        } else if (flow.peer() == peer) {
            clients.lose(flow, message.reason(), true);
        }
    }

    /** Returns whether the flow is there that a peer asks for. */
    private boolean isThere(ControlMessage message, PeerHost peer) {
        CarriedFlow flow = host.flows.find(message.receiverFlow());
        return flow != null
                && flow.peer() == peer
                && flow.epoch == message.epoch()
                && flow.state != CarriedFlow.State.OVER
                && served.isAtKernel(flow);
    }

    private void answeredProbe(ControlMessage message, PeerHost peer) {
        long nonce = message.longNumber(Tlv.NONCE);
        if (nonce == 0) {
            peer.suspicion.heard(host.nowNanos);
            return;
        }
        int way = Suspicion.way(nonce);
        int index = Suspicion.locator(nonce);
        HostLocator at = index < peer.locators().size() ? peer.locators().get(index) : peer.at();
        // An answer by another path says nothing of the one in use: that it is silent must not be hidden.
        boolean same = way == peer.way() && at.equals(peer.at());
        boolean suspected = peer.suspicion.isSuspected() || !host.isUp(peer.way());
        if (same) {
            peer.suspicion.answered(nonce, host.nowNanos);
        } else if (suspected && peer.suspicion.isLatest(nonce) && host.isUp(way)) {
            peer.suspicion.answered(nonce, host.nowNanos);
            if (peer.way() != way) {
                routers.leave(peer.way());
            }
            peer.path(way, at);
            peer.beginMove();
            host.sendHeld(peer);
        }
    }
}
