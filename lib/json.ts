/** An object that JSON gave: its members are not checked yet. */
export type UncheckedObject = Readonly<Record<string, unknown>>;

/** Whether a value that JSON gave is an object, and no list. */
export const isJsonObject = (value: unknown): value is UncheckedObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a text of JSON says; undefined for other texts. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
