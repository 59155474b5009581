const FIRST_BYTES = 65_536; // first size; it grows

/** Makes a growing array of bytes that holds texts one after the other. */
export function openTextBytes() {
  let memory = Buffer.allocUnsafe(FIRST_BYTES);
  let used = 0;

  function makeRoom(bytes: number): void {
    if (used + bytes <= memory.length) return;
    const larger = Buffer.allocUnsafe(2 * (used + bytes));
    memory.copy(larger, 0, 0, used);
    memory = larger;
  }

  return {
    used: () => used,
    /** Returns how many bytes the text takes. */
    add(text: string | Uint8Array): number {
      makeRoom(3 * text.length); // most bytes that the text can take in UTF-8
      let length = text.length;
      if (typeof text === 'string') length = memory.write(text, used);
      else memory.set(text, used);
      used += length;
      return length;
    },
    /** Returns the text of some of its bytes. */
    text: (from: number, to: number): string => memory.toString('utf8', from, to),
    /** Returns its bytes and empties it; the next `add` overwrites them. */
    take(): Buffer {
      const bytes = memory.subarray(0, used);
      used = 0;
      return bytes;
    },
    free(): void {
      memory = Buffer.alloc(0);
    },
  };
}
