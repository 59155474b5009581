/**
 * Texts by index, in one array of bytes. Millions of strings would stay on the heap for the whole import, and V8 lets
 * garbage grow with what stays (docs/performance.md).
 */
export interface TextColumn {
  set(index: number, text: string): void; // again: the later text counts
  get(index: number): string | undefined;
}

const FIRST_BYTES = 4_096; // first size of the array; it grows

/** Makes a column without texts. */
export function newTextColumn(): TextColumn {
  const starts: number[] = [];
  const lengths: number[] = []; // bytes; −1: no text
  let bytes = Buffer.allocUnsafe(FIRST_BYTES);
  let used = 0;
  return {
    set(index, text) {
      const most = 3 * text.length; // most bytes that the text can take in UTF-8
      if (used + most > bytes.length) {
        const larger = Buffer.allocUnsafe(2 * (used + most));
        bytes.copy(larger, 0, 0, used);
        bytes = larger;
      }
      while (lengths.length <= index) {
        starts.push(0);
        lengths.push(-1);
      }
      starts[index] = used;
      lengths[index] = bytes.write(text, used);
      used += lengths[index];
    },
    get(index) {
      const [start = 0, length = -1] = [starts[index], lengths[index]];
      return length < 0 ? undefined : bytes.toString('utf8', start, start + length);
    },
  };
}
