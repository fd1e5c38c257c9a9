package io.guidepost.server.cli.support;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** Says in words what exceptions of the JDK say in class names. */
public final class ExceptionText {
    private ExceptionText() {}

    public static String of(IOException failure) {
        return switch (failure) {
            case NoSuchFileException file -> file.getMessage() + ": there is no such file or folder";
            case AccessDeniedException file -> file.getMessage() + ": access is denied";
            case FileAlreadyExistsException file -> file.getMessage() + " exists already: name another";
            case ConnectException refused -> "connection refused: " + refused.getMessage();
            default -> failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        };
    }
}
