package io.guidepost.server.http.epoll;

import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;

/** One handle of a loop. */
final class EpollRegistration implements IoRegistration {
    private final EpollLoop loop;
    private final EpollChannel.Side handle;
    private volatile boolean valid = true;
    private boolean resuming;

    /** What its events are marked with; negative while none can come. */
    private long mark = -1;

    EpollRegistration(EpollLoop loop, EpollChannel.Side handle) {
        this.loop = loop;
        this.handle = handle;
    }

    EpollLoop loop() {
        return loop;
    }

    EpollChannel.Side handle() {
        return handle;
    }

    long mark() {
        return mark;
    }

    void mark(long given) {
        mark = given;
    }

    /** Has the handle go on in the next turn. */
    void resume() {
        if (!resuming && valid) {
            resuming = true;
            loop.resume(this);
        }
    }

    void resumed() {
        resuming = false;
        if (valid) {
            handle.resume();
        }
    }

    /** This: the event loop gives a channel something else to cancel, by which it counts its channels. */
    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // As Netty has it.
    public <T> T attachment() {
        return (T) this;
    }

    @Override
    public long submit(IoOps ops) {
        throw new IllegalStateException("what is waited for never changes");
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public boolean cancel() {
        if (!valid) {
            return false;
        }
        valid = false;
        loop.forget(this);
        return true;
    }
}
