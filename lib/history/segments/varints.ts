const LOW = 2 ** 7; // limit of seven bits; the eighth bit says that more bytes follow

/** Writes unsigned integers below 2^53 as LEB128: small ones take one byte. */
export function varints(values: Iterable<number>): Uint8Array {
  const bytes: number[] = [];
  for (const value of values) {
    let rest = value;
    for (; rest >= LOW; rest = Math.floor(rest / LOW)) bytes.push((rest % LOW) + LOW);
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

/** Reads the integers that `varints` wrote, one after the other. */
export class VarintReader {
  at: number; // index of the next byte
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  next(): number {
    let unit = 1;
    let value = 0;
    for (;;) {
      const byte = this.#bytes[this.at]!;
      this.at += 1;
      if (byte < LOW) return value + byte * unit;
      value += (byte - LOW) * unit;
      unit *= LOW;
    }
  }
}
