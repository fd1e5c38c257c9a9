package io.guidepost.handle.replication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.MessageBody;
import java.io.IOException;
import java.io.InputStream;

/** The upstream of a mirror: opens its streams. */
@FunctionalInterface
interface ReplicationUpstream {
    /**
     * Requests a stream.
     *
     * @param operation GET_TRANSACTIONS or DUMP_HANDLES
     * @param body of the request
     * @return the stream; closing it ends the connection
     * @throws IOException if the source cannot be reached, or refuses
     * @throws Malformed if its response is malformed
     */
    InputStream ask(HandleOperation operation, MessageBody body) throws IOException, Malformed;
}
