/** From this second until the next change, a case is open or not open. */
export interface OpenChange {
  readonly second: number;
  readonly open: boolean;
}

/** An event that says whether a case is open: a status or a deletion. */
export interface Mention {
  readonly second: number;
  readonly open: boolean; // true if it leaves the case open
}

/**
 * Computes when a case is open, from `first` on (docs/insights.md, Backlog). Mentions come in the order of the case;
 * the last mention up to a second decides for it, and `open` before any. The result rises in time, without entries that
 * change nothing.
 */
export function presenceOf(first: number, mentions: readonly Mention[], open: boolean): OpenChange[] {
  const turns: OpenChange[] = [];
  const turn = (second: number): void => {
    if (turns.at(-1)?.second === second) turns.pop();
    if ((turns.at(-1)?.open ?? false) !== isOpen) turns.push({ second, open: isOpen });
  };
  let isOpen = open;
  let begun = false;
  for (const mention of mentions) {
    if (!begun && mention.second >= first) {
      begun = true;
      turn(first);
    }
    isOpen = mention.open;
    if (begun) turn(mention.second);
  }
  if (!begun) turn(first);
  return turns;
}

/**
 * Guesses the changes from the seconds of facts alone: a case without a creation is never open, nor a deleted one
 * again. This saves 7 % of a segment (`settlePresence` in facts.ts).
 */
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
    mentions.push({ second, open: false }); // resolves and reopens alternate
    const reopen = reopens[at];
    if (reopen !== undefined) mentions.push({ second: reopen, open: true });
  }
  const before = mentions.filter(({ second }) => second < deleted);
  if (deleted !== Number.POSITIVE_INFINITY) before.push({ second: deleted, open: false });
  return presenceOf(created, before, true);
}
