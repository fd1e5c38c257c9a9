package io.guidepost.packet;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Takes what a class logs, instead of the console. */
public final class LogCapture extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> messages = new CopyOnWriteArrayList<>();

    public LogCapture(Class<?> type) {
        logger = Logger.getLogger(type.getName());
        logger.setUseParentHandlers(false);
        logger.addHandler(this);
    }

    public List<String> messages() {
        return messages;
    }

    @Override
    public void publish(LogRecord logged) {
        Object[] parameters = logged.getParameters();
        messages.add(parameters == null ? logged.getMessage() : MessageFormat.format(logged.getMessage(), parameters));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
