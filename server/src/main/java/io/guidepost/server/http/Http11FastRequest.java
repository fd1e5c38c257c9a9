package io.guidepost.server.http;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.Map;

/**
 * A request of HTTP/1.1 as nearly all are, whose connection stays open behind its answer.
 *
 * @param headers by name in lower case; immutable
 * @param at where bytes of an answer can be written past the codec, see {@link Http11FastPath}
 */
@SuppressWarnings("ArrayRecordComponent") // One body, handed on.
record Http11FastRequest(
        String method, String target, Map<String, List<String>> headers, byte[] body, ChannelHandlerContext at) {}
