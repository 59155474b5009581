import { setImmediate } from 'node:timers/promises';

const LONGEST = 8; // ms of work in which nobody else has a turn

/** Long work that is cut into spells, between which other requests have a turn. */
export interface Spell {
  /** Begins a spell, such as after a wait. */
  begin(): void;
  /** Undefined while the spell may go on, else a promise to wait for: others have their turn, and a new spell begins. */
  pause(): Promise<void> | undefined;
}

export function newSpell(): Spell {
  let began = performance.now();
  const begin = (): void => {
    began = performance.now();
  };
  return {
    begin,
    pause: () => (performance.now() - began < LONGEST ? undefined : setImmediate().then(begin)),
  };
}

/** Lets others have a turn, between two pieces of work that take some ms each. */
export const giveTurn = (): Promise<void> => setImmediate();

/** Maps values in order; others have a turn every few ms. */
export async function mapInSpells<T, R>(values: Iterable<T>, map: (value: T, index: number) => R): Promise<R[]> {
  const spell = newSpell();
  const mapped: R[] = [];
  for (const value of values) {
    mapped.push(map(value, mapped.length));
    const pause = spell.pause();
    if (pause) await pause;
  }
  return mapped;
}
