package io.guidepost.handle.value;

import io.guidepost.base.Malformed;
import java.util.EnumSet;
import java.util.Set;

/**
 * The rights of an administrator, one row each, from the highest bit down: the order of the twelve digits of the JSON
 * form.
 */
public enum AdminRight {
    /** To list the handles of a prefix. */
    LIST_HANDLES(0x800, 11),
    /** To read values that are for administrators alone. */
    READ_VALUE(0x400, 7),
    /** To add an administrator. */
    ADD_ADMIN(0x200, 10),
    /** To remove an administrator. */
    REMOVE_ADMIN(0x100, 9),
    /** To change an administrator. */
    MODIFY_ADMIN(0x080, 8),
    /** To add a value. */
    ADD_VALUE(0x040, 6),
    /** To remove a value. */
    REMOVE_VALUE(0x020, 5),
    /** To change a value. */
    MODIFY_VALUE(0x010, 4),
    /** To delete a prefix that is derived from this one. */
    DELETE_DERIVED_PREFIX(0x008, 3),
    /** To derive a prefix from this one. */
    ADD_DERIVED_PREFIX(0x004, 2),
    /** To delete the handle. */
    DELETE_HANDLE(0x002, 1),
    /** To create handles under the prefix. */
    CREATE_HANDLE(0x001, 0);

    /** The bits of all rights. */
    public static final int ALL = 0xfff;

    private static final int DIGITS = 12;

    private final int bit;
    private final int batchPlace;

    AdminRight(int bit, int batchPlace) {
        this.bit = bit;
        this.batchPlace = batchPlace;
    }

    /** Returns its bit on the wire. */
    public int bit() {
        return bit;
    }

    /** Returns the rights whose bits are set. */
    public static Set<AdminRight> of(int bits) {
        EnumSet<AdminRight> rights = EnumSet.noneOf(AdminRight.class);
        for (AdminRight each : values()) {
            if ((bits & each.bit) != 0) {
                rights.add(each);
            }
        }
        return rights;
    }

    /**
     * Reads the twelve binary digits of the JSON form.
     *
     * @throws Malformed if they are not twelve binary digits
     */
    public static int parse(String digits) throws Malformed {
        check(digits);
        return Integer.parseInt(digits, 2);
    }

    /** Returns the twelve binary digits of the JSON form. */
    public static String digits(int bits) {
        return Integer.toBinaryString(1 << DIGITS | bits & ALL).substring(1);
    }

    /**
     * Reads the twelve binary digits of batch files, whose order is: create, delete, add derived, delete derived,
     * modify, remove, add, read, modify admin, remove admin, add admin, list.
     *
     * @throws Malformed if they are not twelve binary digits
     */
    public static int parseBatch(String digits) throws Malformed {
        check(digits);
        int bits = 0;
        for (AdminRight each : values()) {
            bits |= digits.charAt(each.batchPlace) == '1' ? each.bit : 0;
        }
        return bits;
    }

    /** Returns the twelve binary digits of batch files. */
    public static String batchDigits(int bits) {
        char[] digits = new char[DIGITS];
        for (AdminRight each : values()) {
            digits[each.batchPlace] = (bits & each.bit) != 0 ? '1' : '0';
        }
        return new String(digits);
    }

    private static void check(String digits) throws Malformed {
        if (!digits.matches("[01]{12}")) {
            throw new Malformed("rights are twelve binary digits, as 111111111111 is, not '" + digits + "'", 0);
        }
    }
}
