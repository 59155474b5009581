/** A set of line numbers. It takes one bit for each line of the file, so that it fits into memory for any file. */
export interface LineSet {
  readonly size: number;
  has(line: number): boolean;
  /** Adds a line; returns false if the set had it already. */
  add(line: number): boolean;
}

const FIRST_BYTES = 4_096;

export function newLineSet(): LineSet {
  let bits = new Uint8Array(FIRST_BYTES);
  let size = 0;
  const bitOf = (line: number): number => 1 << (line % 8);
  const has = (line: number): boolean => ((bits[Math.floor(line / 8)] ?? 0) & bitOf(line)) !== 0;
  return {
    get size() {
      return size;
    },
    has,
    add(line) {
      if (has(line)) return false;
      const index = Math.floor(line / 8);
      if (index >= bits.length) {
        const larger = new Uint8Array(2 * index);
        larger.set(bits);
        bits = larger;
      }
      bits[index]! |= bitOf(line);
      size += 1;
      return true;
    },
  };
}
