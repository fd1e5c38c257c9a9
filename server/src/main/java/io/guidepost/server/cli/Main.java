package io.guidepost.server.cli;

/** x. */
public final class Main {
    private Main() {}

    /** x. */
    public static void main(String[] args) {
        System.out.println("hello " + args.length);
    }
}
