package io.guidepost.server.http.epoll;

import io.guidepost.packet.stream.EpollSet;
import io.guidepost.packet.stream.TcpCalls;
import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandle;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What ports and connections have in common: a socket, which is read when something came and somebody wants it. That
 * something came is heard once and kept, so to want nothing for a while costs no call.
 */
abstract class EpollChannel extends AbstractChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false);
    private static final int NONE = -1;

    private final ChannelConfig config = new DefaultChannelConfig(this) {
        @Override
        protected void autoReadCleared() {
            if (isRegistered() && eventLoop().inEventLoop()) {
                wanted = false;
            }
        }
    };
    private volatile int number;
    private volatile boolean open = true;
    private @Nullable IoRegistration given;
    private @Nullable EpollLoop loop;

    /** Whether there may be something that was not read. */
    private boolean readable;

    /** Whether somebody wants it. */
    private boolean wanted;

    /** One with a socket, or one that will have one if the number is negative. */
    EpollChannel(@Nullable Channel parent, int number) {
        super(parent);
        this.number = number;
    }

    /** Reads what there is: until there is nothing more, the reader wants no more, or others must have their turn. */
    abstract void take();

    /** Goes on sending, if it could not. */
    abstract void sendOn();

    /** Hears that the other side has ended its direction, or that the connection is broken. */
    abstract void ending();

    /** Number of the socket, negative if there is none. */
    final int number() {
        return number;
    }

    final EpollLoop loop() {
        EpollLoop there = loop;
        if (there == null) {
            throw new IllegalStateException("it has no loop yet");
        }
        return there;
    }

    /** What its loop knows it by. */
    final Side side() {
        return (Side) unsafe();
    }

    /** Has a socket from now on. */
    final void have(int socket) throws IOException {
        number = socket;
        loop().watch(side());
    }

    /** Begins a read: what is wanted behind it must be said anew. */
    final void taking() {
        wanted = false;
    }

    /** There is something to read that the kernel will not tell of. */
    final void arrived() {
        readable = true;
    }

    /** There is nothing more to read, until the kernel says so. */
    final void drained() {
        readable = false;
    }

    /** There was nothing to read, and it is still wanted. */
    final void drainedInVain() {
        readable = false;
        wanted = true;
    }

    /** Whether the next read is wanted as well. */
    final boolean wantsMore() {
        return open && (wanted || config.isAutoRead());
    }

    private void readIfWanted() {
        if (readable && wanted && open) {
            take();
        }
    }

    @Override
    protected void doBeginRead() {
        wanted = true;
        if (readable) {
            side().resumeLater();
        }
    }

    @Override
    protected void doRegister(ChannelPromise promise) {
        ((IoEventLoop) eventLoop()).register(side()).addListener(done -> {
            if (done.isSuccess()) {
                given = (IoRegistration) done.getNow();
                promise.setSuccess();
            } else {
                promise.setFailure(done.cause());
            }
        });
    }

    @Override
    protected void doDeregister() {
        if (given != null) {
            given.cancel();
        }
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected void doClose() {
        open = false;
        int last = number;
        number = NONE;
        doDeregister();
        if (last != NONE) {
            // The acceptor closes a connection that no loop took.
            (loop == null ? new TcpCalls() : loop.calls()).close(last);
        }
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop instanceof IoEventLoop io && io.isCompatible(Side.class);
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        int there = number;
        // Any thread may ask, and the loop's calls belong to the loop.
        return there == NONE ? null : new TcpCalls().local(there);
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return open && number != NONE;
    }

    /** What Netty asks of a channel, what its loop tells it, and the registration of one with the other. */
    class Side extends AbstractUnsafe implements IoHandle, IoRegistration {
        private volatile boolean valid = true;
        private boolean resuming;

        /** What its events are marked with; negative while none can come. */
        private long mark = -1;

        final int number() {
            return number;
        }

        final long mark() {
            return mark;
        }

        final void mark(long given) {
            mark = given;
        }

        final void registered(EpollLoop with) {
            loop = with;
        }

        /** Has it go on in the next turn. */
        final void resumeLater() {
            if (!resuming && valid) {
                resuming = true;
                loop().resume(this);
            }
        }

        final void resumed() {
            resuming = false;
            if (valid) {
                resume();
            }
        }

        /**
         * Something happened.
         *
         * @param events as {@link EpollSet#events} says
         */
        final void ready(int events) {
            if ((events & (EpollSet.READABLE | EpollSet.ENDED)) != 0) {
                readable = true;
            }
            if ((events & EpollSet.ENDED) != 0) {
                ending();
            }
            resume();
        }

        /** Goes on with what was left for the next turn. */
        private void resume() {
            sendOn();
            readIfWanted();
        }

        @Override
        public final void close() {
            close(voidPromise());
        }

        @Override
        public final void handle(IoRegistration from, IoEvent event) {
            throw new IllegalStateException("events come as numbers");
        }

        /** This: the event loop gives a channel something else to cancel, by which it counts its channels. */
        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // As Netty has it.
        public final <T> T attachment() {
            return (T) this;
        }

        @Override
        public final long submit(IoOps ops) {
            throw new IllegalStateException("what is waited for never changes");
        }

        @Override
        public final boolean isValid() {
            return valid;
        }

        @Override
        public final boolean cancel() {
            if (!valid) {
                return false;
            }
            valid = false;
            loop().forget(this);
            return true;
        }

        @Override
        public final void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            promise.setFailure(new IllegalStateException("connections come to a port"));
        }
    }
}
