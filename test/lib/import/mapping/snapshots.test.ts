import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { memberId } from '../../../../lib/access/member-id.ts';
import type { CaseEvent } from '../../../../lib/history/cases/event.ts';
import { openInput } from '../../../../lib/import/formats/input.ts';
import { isEvent } from '../../../../lib/import/records/records.ts';
import { percentile } from '../../../../lib/insights/percentiles.ts';
import { tries } from '../../../support/generators/depth.ts';
import { readCsvRows, recordsOf, rejectionsOf } from '../../../support/generators/read-rows.ts';
import { describeWithData } from '../../../support/service/shared-data.ts';

const MAPPING = {
  kind: 'snapshots',
  time: { format: 'd/M/yyyy HH:mm', zone: 'UTC' },
  csv: { null: ['?'] },
  case: 'case',
  at: 'updated',
  order: ['mod'],
  created: { at: 'opened', agent: 'opener' },
  actor: { agent: 'by', group: 'group' },
  status: { column: 'state', table: { Resolved: 'resolved' }, default: 'open' },
  agent: 'agent',
  group: 'group',
  priority: { column: 'priority', pattern: '^(\\d)' },
  labels: { column: 'labels', split: '|' },
  custom_fields: [{ name: 'Tier', column: 'tier', id: 12, values: true }],
};
const HEADER = 'case,updated,mod,opened,opener,by,state,agent,group,priority,labels,tier';
const FIRST = 'A1,1/3/2026 09:00,0,1/3/2026 08:59,Ann,Bob,New,?,Desk,3 - Moderate,x|y,gold';
const AT = (Date.UTC(2026, 2, 1, 9) * 1_000_000) / 1000;

const read = (...rows: string[]) => readCsvRows([HEADER, ...rows].join('\n'), MAPPING);
const eventsOf = async (...rows: string[]) => recordsOf(await read(...rows)).filter(isEvent);
const id = memberId;

describe('snapshots', () => {
  it('make the first row of a case its creation, with its assignment and status', async () => {
    expect(await eventsOf(FIRST)).toEqual([
      {
        type: 'case.created',
        id: 'created',
        at: AT - 60_000_000,
        case: 'A1',
        agent: id('agent', 'Ann'),
        priority: 3,
        labels: [id('label', 'x'), id('label', 'y')].sort((a, b) => a - b),
        custom_fields: { '12': 'gold' },
      },
      {
        type: 'case.assigned',
        id: 'tb7qc0-10.assigned',
        at: AT,
        case: 'A1',
        to: { agent: null, group: id('group', 'Desk') },
      },
      {
        type: 'case.status',
        id: 'tb7qc0-10.status',
        at: AT,
        case: 'A1',
        agent: id('agent', 'Bob'),
        group: id('group', 'Desk'),
        to: 'open',
      },
    ]);
  });

  it('make events of what differs between successive rows, and nothing of what does not', async () => {
    const events = await eventsOf(
      FIRST,
      'A1,1/3/2026 09:00,1,1/3/2026 08:59,Ann,Bob,New,?,Desk,3 - Moderate,y|x,gold',
      'A1,1/3/2026 10:00,2,1/3/2026 08:59,Ann,Bob,Resolved,Eve,Desk,?,y,?',
    );
    const base = { at: AT + 3_600_000_000, case: 'A1', agent: id('agent', 'Bob'), group: id('group', 'Desk') };
    expect(events.slice(3)).toEqual([
      {
        type: 'case.assigned',
        id: 'tb7t40-12.assigned',
        at: base.at,
        case: 'A1',
        to: { agent: id('agent', 'Eve'), group: id('group', 'Desk') },
      },
      { type: 'case.custom_field', id: 'tb7t40-12.field12', ...base, field: 12, value: null },
      { type: 'case.labels', id: 'tb7t40-12.labels', ...base, set: [id('label', 'y')] },
      { type: 'case.priority', id: 'tb7t40-12.priority', ...base, priority: null },
      { type: 'case.status', id: 'tb7t40-12.status', ...base, to: 'resolved' },
    ]);
  });

  it('name each member once, and a custom field with the values that the file holds', async () => {
    const others = recordsOf(await read(FIRST, FIRST.replace('A1', 'A2').replace('gold', 'silver'))).filter(
      (r) => !isEvent(r),
    );
    expect(others.map((record) => ('name' in record ? record.name : ''))).toEqual([
      'x',
      'y',
      'Desk',
      'Bob',
      'Ann',
      'Tier',
    ]);
    expect(others.at(-1)).toEqual({
      type: 'custom_field',
      id: 12,
      name: 'Tier',
      object: 'case',
      updated_at: 0,
      values: ['gold', 'silver'],
    });
  });

  it('reject rows that cannot be read, and go on with the rest of the case', async () => {
    const rows = await read(
      FIRST,
      'A1,30/2/2026 09:00,1,1/3/2026 08:59,Ann,Bob,Resolved,?,Desk,3,x|y,gold',
      'A1,1/3/2026 10:00',
      ',1/3/2026 10:00,2,1/3/2026 08:59,Ann,Bob,Resolved,?,Desk,3,x|y,gold',
      'A1,1/3/2026 10:00,2,1/3/2026 08:59,Ann,Bob,Resolved,?,Desk,33,x|y,gold',
      'A1,1/3/2026 10:00,2,1/3/2026 08:59,Ann,Bob,Resolved,?,Desk,high,x|y,gold',
      'A1,1/3/2026 11:00,3,1/3/2026 08:59,Ann,Bob,Resolved,?,Desk,0,x|y,gold',
      'A1,,3,1/3/2026 08:59,Ann,Bob,Resolved,?,Desk,3,x|y,gold',
      'A1,1/3/2026 11:00,3,1/3/2026 08:59,Ann,Bob,Resolved,?,Desk,3,x|y,gold,,more',
      'A1,1/3/2026 11:00,3,1/3/2026 08:59,Ann,Bob,Resolved,?,Desk,3,x|y,gold,,',
    );
    expect(rejectionsOf(rows)).toEqual([
      [3, 'updated: "30/2/2026 09:00" is not a time that exists in the years 1970 to 2199'],
      [4, 'the row has 2 of 12 columns'],
      [5, 'the case is empty'],
      [7, 'priority: "high" does not match ^(\\d)'],
      [8, 'priority: "0" is not a whole number from 1 to 10'],
      [9, 'updated is empty'],
      [10, 'the row has 14 columns instead of 12'],
    ]);
    expect(recordsOf(rows).filter((record) => record.type === 'case.status')).toHaveLength(2);
  });

  it('leave the assignee alone where the mapping does not name it', async () => {
    const { agent: _agent, ...bare } = MAPPING;
    const rows = await readCsvRows(`${HEADER}\n${FIRST}`, bare);
    expect(recordsOf(rows).find((record) => record.type === 'case.assigned')).toMatchObject({
      to: { group: id('group', 'Desk') },
    });
  });

  it('give the same events whatever the order of rows, in one time by their order column', async () => {
    const rows = Array.from(
      { length: 12 },
      (_, mod) =>
        `A${mod % 2},1/3/2026 0${mod < 6 ? 8 : 9}:00,${mod},1/3/2026 08:00,Ann,Bob,${mod % 4 < 2 ? 'Resolved' : 'New'},?,Desk,3,x,${mod}`,
    );
    const sorted = async (given: readonly string[]) =>
      (await eventsOf(...given)).map((event) => JSON.stringify(event)).sort();
    const whole = await sorted(rows);
    const shuffled = fc.shuffledSubarray(rows, { minLength: rows.length });
    await fc.assert(
      fc.asyncProperty(shuffled, async (given) => {
        expect(await sorted(given)).toEqual(whole);
      }),
      { numRuns: tries(30, 1 / 4) },
    );
    const first = (await eventsOf(...rows)).filter(
      (event): event is CaseEvent => 'case' in event && event.case === 'A0',
    );
    const byId = first.filter(({ type }) => type === 'case.custom_field').map((event) => [event.at, event.id] as const);
    expect(byId).toEqual([...byId].sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1)));
  });

  it('add events to those of a shorter export, and change none of them', async () => {
    const rows = [
      FIRST,
      FIRST.replace('09:00,0', '10:00,1').replace('New', 'Resolved'),
      FIRST.replace('09:00,0', '11:00,2'),
    ];
    const short = (await eventsOf(...rows.slice(0, 2))).map((event) => JSON.stringify(event));
    const long = (await eventsOf(...rows)).map((event) => JSON.stringify(event));
    expect(long.slice(0, short.length)).toEqual(short);
    expect(long.length).toBe(short.length + 1);
  });
});

describeWithData('incident-log.csv.gz', 'the mapping of the incident log', (path) => {
  it('gives the golden numbers of docs/rules.md', async () => {
    const mapping = JSON.parse(readFileSync('test/data/incident-log.mapping.json', 'utf8'));
    const rows = await readCsvRows((await openInput(path)).bytes, mapping);
    expect(rejectionsOf(rows)).toEqual([]);
    const cases = new Map<string, CaseEvent[]>();
    for (const record of recordsOf(rows)) {
      if (!('case' in record)) continue;
      const events = cases.get(record.case);
      if (events === undefined) cases.set(record.case, [record]);
      else events.push(record);
    }
    expect(goldens(cases)).toEqual({
      creates: { '2016-02': 207, '2016-03': 8_995, '2016-04': 7_934, '2016-05': 3_633 },
      resolves: 21_045,
      resolvedCases: 20_768,
      reopens: 277,
      meanOfAll: '627100.03',
      percentiles: { 50: 71_940, 75: 528_120, 90: 1_303_020, 95: 2_447_832, 99: 10_162_780.8 },
      meanOfLast: '622247.18',
    });
  });
});

function goldens(cases: ReadonlyMap<string, CaseEvent[]>) {
  const creates: Record<string, number> = {};
  const all: number[] = [];
  const last: number[] = [];
  let reopens = 0;
  for (const events of cases.values()) {
    const created = events.find(({ type }) => type === 'case.created')?.at ?? Number.NaN;
    const month = new Date(created / 1000).toISOString().slice(0, 7);
    creates[month] = (creates[month] ?? 0) + 1;
    let done = false;
    let lastResolve: number | undefined;
    for (const event of [...events].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))) {
      if (event.type !== 'case.status') continue;
      const isDone = event.to === 'resolved' || event.to === 'closed';
      if (isDone && !done) all.push((lastResolve = (event.at - created) / 1_000_000));
      if (!isDone && done) reopens += 1;
      done = isDone;
    }
    if (lastResolve !== undefined) last.push(lastResolve);
  }
  const mean = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0) / list.length;
  const sorted = Float64Array.from(all).sort();
  const percentiles = Object.fromEntries([50, 75, 90, 95, 99].map((percent) => [percent, percentile(sorted, percent)]));
  const counts = { creates, resolves: all.length, resolvedCases: last.length, reopens };
  return { ...counts, meanOfAll: mean(all).toFixed(2), percentiles, meanOfLast: mean(last).toFixed(2) };
}
