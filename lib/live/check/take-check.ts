import { readCaseEvents } from '../../history/case-events.ts';
import type { CaseEvent } from '../../history/cases/event.ts';
import { MOST_EVENTS } from '../../history/cases/most-events.ts';
import { readErasures } from '../../history/erasures.ts';
import { targetOf } from '../../import/import-rows.ts';
import { isEvent } from '../../import/records/records.ts';
import { namesOfMembers } from '../../import/reference/names-of-members.ts';
import { tellCase } from '../../import/story.ts';
import { checkLease } from '../../store/lease.ts';
import { look } from '../cases.ts';
import type { ListedCase } from '../desk.ts';
import { changedPage, Interrupted, type PullRun } from '../run.ts';
import { storeRecords } from '../take.ts';
import { DeskTrouble } from '../trouble.ts';
import { type Difference, differencesOf, explainDifference, type VendorCheck } from './check.ts';
import {
  type CheckedCase,
  type CheckState,
  checkItem,
  isChecking,
  isNightlyDue,
  newCheck,
  readCheck,
  withChecked,
  without,
} from './check-state.ts';

const SAVED = 20; // cases between two writes
const HOUR = 3_600_000; // ms
const WIDER = 4; // how much longer the next time is in which the latest changed are looked for
const TOLD = ['agent', 'group', 'label', 'channel'] as const; // members that stories name
const FAILURES = 3; // cases in a row that do not answer: then the help desk is at fault

/** Compares cases with the help desk's own figures, if somebody asked for it or a night began. */
export async function takeCheck(run: PullRun): Promise<void> {
  const { tools, site, connection, vendor } = run;
  const { table, clock, newId } = tools;
  if (vendor.check === undefined) return;
  let check = await readCheck(table, site.name);
  if (!isChecking(check) && isNightlyDue(connection, check, { zone: site.timeZone, now: clock() }))
    check = newCheck(newId(), clock());
  if (check === undefined || !isChecking(check)) return;
  const { todo } = check;
  if (todo === null) {
    check = { ...check, todo: await latestChanged(run, check.cases) };
    await save(run, check);
  }
  await checkAll(run, { check, figures: vendor.check });
}

/** Writes how far a check is, while the lease is held. */
const save = (run: PullRun, check: CheckState): Promise<void> =>
  run.tools.table.transact([{ put: checkItem(run.site.name, check) }, checkLease(run.lease)]);

interface Checking {
  readonly check: CheckState;
  readonly figures: VendorCheck;
}

async function checkAll(run: PullRun, { check: begun, figures }: Checking): Promise<void> {
  const { tools, site } = run;
  const erasures = await readErasures(run.context);
  const names = await namesOfMembers(targetOf(run.context), TOLD);
  let check = begun;
  let unsaved = 0;
  let failed: CheckedCase[] = []; // in a row, until another case answers
  let last: DeskTrouble | undefined; // of a case, while none has answered
  let hasAnswered = false;
  const note = (checked: readonly CheckedCase[]): void => {
    check = checked.reduce(withChecked, check);
    unsaved += checked.length;
  };
  for (const id of begun.todo ?? []) {
    try {
      if (await look(run)) await requireSame(run, check);
      if (tools.clock() >= run.progress.next) throw new Interrupted(); // changes come first
      if (erasures?.isErased('case', id)) check = without(check, id);
      else note([...failed, await checkCase(run, id, { check, figures, names })]);
      [failed, hasAnswered] = [[], true];
    } catch (error) {
      const isAlone = error instanceof DeskTrouble && ALONE.has(error.code);
      if (isAlone) failed.push(failedCase(id, error, tools.clock()));
      if (isAlone) last = error;
      if (!isAlone || failed.length >= FAILURES) {
        if (unsaved > 0) await save(run, check);
        throw error;
      }
    }
    if (unsaved < SAVED) continue;
    await save(run, check);
    unsaved = 0;
  }
  if (last !== undefined && !hasAnswered) throw last;
  note(failed);
  await save(run, { ...check, state: 'done', todo: [] });
  const { equal, repaired, explained, unexplained } = check;
  tools.log(unexplained > 0 ? 'warn' : 'info', 'check', { site: site.name, equal, repaired, explained, unexplained });
}

/** A case that could not be compared: nothing explains that. */
const failedCase = (id: string, { message }: DeskTrouble, now: number): CheckedCase => ({
  id,
  isRepaired: false,
  differences: [{ measure: 'case', ours: null, theirs: null, reason: null }],
  story: [{ at: new Date(now).toISOString(), what: message }],
});

/** Failures that may be of one case alone. */
const ALONE: ReadonlySet<string> = new Set(['unreachable', 'changed', 'too_large', 'redirected']);

/** Ends the pull if another check was asked for meanwhile. */
async function requireSame({ tools, site }: PullRun, { change }: CheckState): Promise<void> {
  const present = await readCheck(tools.table, site.name);
  if (present !== undefined && present.change !== change) throw new Interrupted();
}

/** The ids of the cases that changed last: looked for in the last hour, and in ever longer times until there are enough. */
async function latestChanged(run: PullRun, most: number): Promise<string[]> {
  const { connection, tools } = run;
  const first = connection.since ?? 0;
  const now = tools.clock();
  for (let span = HOUR; ; span *= WIDER) {
    const since = Math.max(first, now - span);
    let latest: ListedCase[] = [];
    for (let cursor: string | null = null, isLast = false; !isLast; ) {
      await look(run);
      const page = await changedPage(run, { since, cursor, begins: cursor === null });
      latest = latestOf([...latest, ...page.cases.filter(({ changed }) => changed >= since)], most);
      ({ cursor, isLast } = page);
    }
    if (latest.length >= most || since === first) return latest.map(({ id }) => id);
  }
}

/** The latest changed of some cases, each once, the last change first. */
function latestOf(cases: readonly ListedCase[], most: number): ListedCase[] {
  const once = new Map([...cases].sort((a, b) => a.changed - b.changed).map(({ id, changed }) => [id, changed]));
  const latest = [...once].map(([id, changed]) => ({ id, changed }));
  return latest.sort((a, b) => b.changed - a.changed).slice(0, most);
}

/** Compares one case; one that differs is fetched again first. Throws `DeskTrouble`. */
async function checkCase(
  run: PullRun,
  id: string,
  { check, figures, names }: Checking & { readonly names: ReadonlyMap<string, string> },
): Promise<CheckedCase> {
  const { line, connection, context, reader } = run;
  const ask = () => figures.figures(line, id, connection.account ?? undefined);
  const stored = () => readCaseEvents(context, id, MOST_EVENTS.case);
  const equal = { id, isRepaired: false, differences: [], story: [] };
  const before = await ask();
  if (before === undefined) return equal; // gone there: a pull finds that
  const events = await stored();
  if (differencesOf(id, events, before, figures).length === 0) return equal;
  const read = await reader.read({ id, changed: check.at });
  if (read === undefined) return equal;
  const theirs = read.flatMap((record): CaseEvent[] =>
    isEvent(record) && 'case' in record && record.case === id ? [record] : [],
  );
  const last = theirs.reduce((latest, { at }) => Math.max(latest, at), 0);
  if (events.length === 0 && connection.since !== null && last < connection.since * 1000)
    return { ...equal, differences: [{ ...LACKING, reason: 'before_since' }], story: tellCase(theirs, names) };
  if (events.length === 0 && theirs.length === 0) {
    const reason = connection.options.merged === 'skip' ? 'merge' : null;
    return { ...equal, differences: [{ ...LACKING, reason }] };
  }
  await storeRecords(read, { context, source: connection.source, beside: async () => [checkLease(run.lease)] });
  const after = await ask();
  if (after === undefined) return equal;
  const now = await stored();
  const isMoving = JSON.stringify(before) !== JSON.stringify(after) || now.some(({ at }) => at > check.at * 1000);
  const differences = differencesOf(id, now, after, figures).map((difference) => ({
    ...difference,
    reason: isMoving ? ('moving' as const) : explainDifference(id, difference, now, figures),
  }));
  return { id, isRepaired: true, differences, story: differences.length === 0 ? [] : tellCase(now, names) };
}

const LACKING: Difference = { measure: 'case', ours: 0, theirs: 1 };
