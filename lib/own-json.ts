/** Reads JSON that this product itself wrote: a build, an import to its temporary file or to another thread, an answer. */
export function ownJson<T>(text: string): T {
  const value: unknown = JSON.parse(text);
  return value as T;
}
