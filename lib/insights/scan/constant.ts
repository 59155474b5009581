/** Returns parts of one shared array, which is replaced by a longer one when needed. The parts are read-only. */
const growing = <T extends { readonly length: number; subarray(from: number, to: number): T }>(
  make: (length: number) => T,
): ((length: number) => T) => {
  let longest = make(0);
  return (length) => {
    if (longest.length < length) longest = make(2 * length);
    return longest.subarray(0, length);
  };
};

/** 0, 1, 2, …; shared, so read-only. */
export const identity = growing((length) => Int32Array.from({ length }, (_, at) => at));

const narrowIdentity = growing((length) => Uint16Array.from({ length }, (_, at) => at));

/** The same with 16 bits if they suffice, which is the type that rows of facts have. */
export const rowNumbers = (length: number): Int32Array | Uint16Array =>
  length <= 2 ** 16 ? narrowIdentity(length) : identity(length);

/** Zeros; shared, so read-only. */
export const zeros = growing((length) => new Int32Array(length));

/** Ones; shared, so read-only. */
export const ones = growing((length) => new Uint8Array(length).fill(1));
