/** An array that is made longer when a longer one is asked for, of which parts are handed out: read only. */
const growing = <T extends { readonly length: number; subarray(from: number, to: number): T }>(
  make: (length: number) => T,
): ((length: number) => T) => {
  let longest = make(0);
  return (length) => {
    if (longest.length < length) longest = make(2 * length);
    return longest.subarray(0, length);
  };
};

/** 0, 1, 2, …; shared: read only. */
export const identity = growing((length) => Int32Array.from({ length }, (_, at) => at));

const narrowIdentity = growing((length) => Uint16Array.from({ length }, (_, at) => at));

/** The same, of 16 bits where they do: as rows of facts are. */
export const rowNumbers = (length: number): Int32Array | Uint16Array =>
  length <= 2 ** 16 ? narrowIdentity(length) : identity(length);

/** Nothing but 0; shared: read only. */
export const zeros = growing((length) => new Int32Array(length));

/** Nothing but 1; shared: read only. */
export const ones = growing((length) => new Uint8Array(length).fill(1));
