const OFF = 0.1; // of a figure, before the page is wrong

/** A figure of a page of the documents: where it is told, as the first group of a pattern, and what was measured. */
export interface Figure {
  readonly what: string;
  readonly told: RegExp;
  readonly is: number;
}

/** Throws if figures of docs/cost.md are more than a tenth off, or are not told there. */
export function checkFigures(page: string, figures: readonly Figure[]): void {
  const wrong = figures.flatMap(({ what, told, is }) => {
    const said = Number(told.exec(page)?.[1]?.replaceAll(',', '') ?? Number.NaN);
    return Math.abs(said - is) <= OFF * is ? [] : [`${what}: ${Number(is.toFixed(2))}, not ${said}`];
  });
  if (wrong.length > 0) throw new Error(`docs/cost.md is more than a tenth off. ${wrong.join('; ')}`);
}
