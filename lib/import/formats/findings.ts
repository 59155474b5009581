/** What a reader noticed beside the rows that it loaded or rejected: counts by name, and warnings. */
export interface Findings {
  /** Counts an object that was read, by its kind. */
  readonly met: (kind: string) => void;
  /** Counts data that is ignored, because it has no meaning here. */
  readonly ignore: (what: string) => void;
  /** Adds a warning; equal ones are shown once. */
  readonly warn: (sentence: string) => void;
  /** Adds the findings of another reader. */
  readonly absorb: (other: FindingsSummary) => void;
  readonly summary: () => FindingsSummary;
}

export interface FindingsSummary {
  readonly met: Readonly<Record<string, number>>;
  readonly ignored: Readonly<Record<string, number>>; // the most frequent first
  readonly warnings: readonly string[];
}

/** Most names that are counted; all further names are counted together. */
const MOST = 1_000;
const OTHERS = 'others';

export function newFindings(): Findings {
  const met = new Map<string, number>();
  const ignored = new Map<string, number>();
  const warnings = new Set<string>();
  const add = (counts: Map<string, number>, what: string, count = 1): void => {
    const name = counts.has(what) || counts.size < MOST ? what : OTHERS;
    counts.set(name, (counts.get(name) ?? 0) + count);
  };
  return {
    met: (kind) => add(met, kind),
    ignore: (what) => add(ignored, what),
    warn: (sentence) => void warnings.add(sentence),
    absorb: (other) => {
      for (const [kind, count] of Object.entries(other.met)) add(met, kind, count);
      for (const [what, count] of Object.entries(other.ignored)) add(ignored, what, count);
      for (const sentence of other.warnings) warnings.add(sentence);
    },
    summary: () => ({
      met: Object.fromEntries(met),
      ignored: Object.fromEntries([...ignored].sort((a, b) => b[1] - a[1])),
      warnings: [...warnings],
    }),
  };
}
