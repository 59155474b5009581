const READ_UNIT = 4096; // bytes, read strongly consistent
const WRITE_UNIT = 1024;
const TRANSACTED = 2; // times the units of a plain write

/** The units that reading so many bytes takes; nothing takes one, too. */
export const readUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / READ_UNIT));

/** The units of a write: by the larger of the item before and after it. */
export const writeUnits = (before: number, after: number): number =>
  Math.max(1, Math.ceil(Math.max(before, after) / WRITE_UNIT));

/** The units of a write, or of a check, in a transaction. */
export const transactedUnits = (before: number, after: number): number => TRANSACTED * writeUnits(before, after);
