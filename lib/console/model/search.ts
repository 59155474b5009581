interface Searched {
  readonly id: string;
  readonly name: string;
  readonly also?: string; // other words that find it
}

/** Finds the options that have all words of a text, each anywhere in the name, the id or the other words. */
export function matchingOptions<T extends Searched>(options: readonly T[], search: string): readonly T[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  return options.filter(({ id, name, also = '' }) => {
    const said = `${name} ${id} ${also}`.toLowerCase();
    return wanted.every((word) => said.includes(word));
  });
}
