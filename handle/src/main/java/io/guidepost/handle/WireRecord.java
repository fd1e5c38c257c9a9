package io.guidepost.handle;

/** A value with an encoding on the wire. */
public interface WireRecord {
    /** Appends its encoding. */
    void write(WireWriter out);

    /** Returns its encoding in a new array. */
    default byte[] write() {
        WireWriter out = new WireWriter();
        write(out);
        return out.toBytes();
    }
}
