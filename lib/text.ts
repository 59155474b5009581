/** Compares texts by code point, where JavaScript's own order goes by UTF-16 unit. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** A moment as `api.md` shows it: UTC, whole seconds, `Z`. `at` in epoch ms. */
export function timestamp(at: number): string {
  return `${new Date(Math.floor(at / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}
