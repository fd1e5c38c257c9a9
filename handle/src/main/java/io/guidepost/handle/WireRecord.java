package io.guidepost.handle;

/** Something that has a form in bytes, and can write it. */
public interface WireRecord {
    /** Writes its form behind what was written before. */
    void write(WireWriter out);

    /** Its form in bytes, in a new array. */
    default byte[] write() {
        WireWriter out = new WireWriter();
        write(out);
        return out.toBytes();
    }
}
