package io.guidepost.server.web;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.Map;

/**
 * A request of HTTP/1.1 as nearly all are, whose connection stays open behind its answer.
 *
 * @param headers by name in lower case; immutable
 * @param at where bytes of an answer can be written past the codec, see {@link PlainRequests}
 */
@SuppressWarnings("ArrayRecordComponent") // One body, handed on.
record PlainRequest(
        String method, String target, Map<String, List<String>> headers, byte[] body, ChannelHandlerContext at) {}
