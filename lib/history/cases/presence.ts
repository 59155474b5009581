/** A second from which on a case is open, or is not, until the next. */
export interface OpenChange {
  readonly second: number;
  readonly open: boolean;
}

/** What changes whether a case is open: its creation, a status, a deletion; in the order of the case. */
export interface Mention {
  readonly second: number;
  readonly open: boolean; // what it makes of the case
}

/**
 * When a case is open: from `first` on, with the last mention before an instant deciding (docs/insights.md, Backlog). Turns
 * rise, and only changes are among them.
 */
export function presenceOf(first: number, mentions: readonly Mention[]): OpenChange[] {
  const turns: OpenChange[] = [];
  const turn = (second: number, open: boolean): void => {
    if (turns.at(-1)?.second === second) turns.pop();
    if ((turns.at(-1)?.open ?? false) !== open) turns.push({ second, open });
  };
  let open = true;
  let begun = false;
  for (const mention of mentions) {
    if (!begun && mention.second >= first) {
      begun = true;
      turn(first, open);
    }
    open = mention.open;
    if (begun) turn(mention.second, open);
  }
  if (!begun) turn(first, open);
  return turns;
}

/** The turns that follow from the seconds of facts alone: never open without a creation, gone for good once deleted. */
export function guessPresence(facts: {
  readonly created: number | undefined;
  readonly resolves: readonly number[];
  readonly reopens: readonly number[];
  readonly deleted: number | undefined;
}): OpenChange[] {
  const { created, resolves, reopens, deleted = Number.POSITIVE_INFINITY } = facts;
  if (created === undefined) return [];
  const mentions: Mention[] = [];
  for (const [at, second] of resolves.entries()) {
    mentions.push({ second, open: false }); // resolves and reopens take turns
    const reopen = reopens[at];
    if (reopen !== undefined) mentions.push({ second: reopen, open: true });
  }
  const before = mentions.filter(({ second }) => second < deleted);
  if (deleted !== Number.POSITIVE_INFINITY) before.push({ second: deleted, open: false });
  return presenceOf(created, before);
}
