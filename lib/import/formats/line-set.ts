/** Numbers of lines, at a bit for each line of the file: of a file of wrong lines, however long, memory holds them all. */
export interface LineSet {
  readonly size: number;
  has(line: number): boolean;
  /** False where it was there already. */
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
      const place = Math.floor(line / 8);
      if (place >= bits.length) {
        const larger = new Uint8Array(2 * place);
        larger.set(bits);
        bits = larger;
      }
      bits[place]! |= bitOf(line);
      size += 1;
      return true;
    },
  };
}
