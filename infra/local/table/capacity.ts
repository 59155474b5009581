const READ_UNIT = 4096; // bytes of a strongly consistent read
const WRITE_UNIT = 1024;
const TRANSACTED = 2; // times the units outside of a transaction

/** The units of reading `bytes`; an empty read takes one, too. */
export const readUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / READ_UNIT));

/** The units of a write, by the larger of the item's sizes before and after it. */
export const writeUnits = (before: number, after: number): number =>
  Math.max(1, Math.ceil(Math.max(before, after) / WRITE_UNIT));

/** The units of a write or a check in a transaction. */
export const transactedUnits = (before: number, after: number): number => TRANSACTED * writeUnits(before, after);
