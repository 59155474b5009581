import { DESKS, deskWords as words } from './settings/desks.ts';

/** Up to when the changes at help desks are in, as the API shows it. */
export interface Fresh {
  readonly entries: readonly {
    readonly system: string;
    readonly state: string;
    readonly as_of: string | null;
    readonly lag: number | null; // s
  }[];
}

const LATE = 1_200; // s of lag that worry nobody: four usual intervals

/** Writes moments: a time of day alone, or with its date. */
interface Moments {
  readonly clock: (instant: string) => string; // local times of the site
  readonly time: (local: string) => string;
  readonly moment: (local: string) => string;
  readonly now: string; // ISO 8601
}

/** Says up to when the changes at the site's help desks are in, and why they are late; empty without a help desk. */
export function freshnessText({ entries }: Fresh, { clock, time, moment, now }: Moments): string {
  const today = clock(now).slice(0, 10);
  return entries
    .map(({ system, state, as_of, lag }) => {
      const title = DESKS.find((desk) => desk.system === system)?.title ?? system;
      const local = as_of === null ? undefined : clock(as_of);
      const shown = local?.startsWith(today) ? time(local) : local && moment(local);
      const isLate = state === 'failing' || state === 'paused' || lag === null || lag > LATE;
      const fresh = shown === undefined ? words.notYet(title) : words.fresh(title, shown);
      return isLate ? `${fresh}, ${words.late(words.lateOf(state))}` : fresh;
    })
    .join(' · ');
}
