import { openTextBytes } from '../spill/text-bytes.ts';

/**
 * Texts by index, in one array of bytes. Millions of strings would stay on the heap for the whole import, and V8 lets
 * garbage grow with what stays (docs/performance.md).
 */
export interface TextColumn {
  set(index: number, text: string): void; // again: the later text counts
  get(index: number): string | undefined;
}

/** Makes a column without texts. */
export function newTextColumn(): TextColumn {
  const bytes = openTextBytes();
  const starts: number[] = [];
  const lengths: number[] = []; // bytes; −1: no text
  return {
    set(index, text) {
      while (lengths.length <= index) {
        starts.push(0);
        lengths.push(-1);
      }
      starts[index] = bytes.used();
      lengths[index] = bytes.add(text);
    },
    get(index) {
      const [start = 0, length = -1] = [starts[index], lengths[index]];
      return length < 0 ? undefined : bytes.text(start, start + length);
    },
  };
}
