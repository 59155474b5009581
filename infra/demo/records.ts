import { history } from './history.ts';
import { knowledge, macros } from './knowledge.ts';
import { DEMO_MEMBERS, type DemoRecord } from './members.ts';
import { DEMO_PROMISES } from './promises.ts';

const DAY = 86_400; // s
const FOUNDED = 120 * DAY; // s before today

/** All records of the demo site, in the import format (docs/import.md). `now` in epoch ms; `timeZone` is the site's. */
export function* demoRecords(now: number, timeZone: string): Generator<DemoRecord> {
  const today = dateOf(now, timeZone);
  yield* DEMO_MEMBERS;
  yield* DEMO_PROMISES;
  yield* knowledge(new Date((today - FOUNDED) * 1000).toISOString());
  yield* macros();
  yield* history(today);
}

/** The UTC midnight of the date that a zone has now, in s since 1970. */
function dateOf(now: number, timeZone: string): number {
  const date = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
  return Date.parse(`${date}T00:00:00Z`) / 1000;
}
