import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { findPack } from '../../../../infra/cli/import/recognise.ts';
import type { CaseEvent } from '../../../../lib/history/cases/event.ts';
import { openPack } from '../../../../lib/import/open-pack.ts';
import { ratedPack } from '../../../../lib/import/packs/pack.ts';
import { isEvent } from '../../../../lib/import/records/records.ts';
import { tries } from '../../../support/generators/depth.ts';
import { arbitraryStream, ERAS } from '../../../support/generators/histories.ts';
import { MEMBERS } from '../../../support/generators/members.ts';
import { caseRows } from '../../../support/generators/report-of.ts';
import { carried } from '../../../support/zendesk/carried.ts';
import { readZendeskFiles } from '../../../support/zendesk/read-zendesk.ts';
import { inTables, type Tables, tablesOf } from '../../../support/zendesk/write-fivetran.ts';
import { type Audit, auditsOf, ticketEventOf } from '../../../support/zendesk/write-zendesk.ts';

const users = MEMBERS.agent.map((id) => JSON.stringify({ id, name: `A${id}`, role: 'agent' })).join('\n');

type Write = (list: readonly object[], page: string) => string;

/** Ways in which a list of objects comes, the same in the whole file. */
const STEADY: Readonly<Record<string, Write>> = {
  'an object a line': (list) => list.map((one) => JSON.stringify(one)).join('\n'),
  'API pages': (list, page) =>
    [list.slice(0, 3), list.slice(3)].map((part) => JSON.stringify({ [page]: part, count: 1 }, null, 1)).join('\n'),
  Singer: (list, page) => list.map((record) => JSON.stringify({ type: 'RECORD', stream: page, record })).join('\n'),
  Airbyte: (list, page) => list.map((data) => JSON.stringify({ stream: page, data, emitted_at: 1 })).join('\n'),
  'Airbyte, raw': (list) => list.map((one) => JSON.stringify({ _airbyte_data: JSON.stringify(one) })).join('\n'),
};

const ENVELOPES: Readonly<Record<string, Write>> = {
  ...STEADY,
  'an envelope that changes within a file': (list, page) => {
    const writers = Object.values(STEADY);
    return list.map((one, place) => writers[place % writers.length]!([one], page)).join('\n');
  },
};

/** Random histories as far as Zendesk carries them, by ticket. */
const histories = fc.constantFrom(...ERAS).chain((era) =>
  arbitraryStream(era).map((events) => {
    const byCase = new Map<string, Map<string, CaseEvent>>();
    for (const event of events) {
      if (!('case' in event) || event.type === 'case.version') continue;
      const known = byCase.get(event.case) ?? new Map<string, CaseEvent>();
      byCase.set(event.case, known.set(event.id, event as CaseEvent));
    }
    const cases = new Map<string, CaseEvent[]>();
    for (const [place, given] of [...byCase.values()].entries()) {
      const ticket = String(place + 1);
      const kept = carried([...given.values()], ticket, MEMBERS.agent[0]!);
      if (kept) cases.set(ticket, kept);
    }
    return cases;
  }),
);

/** The rows of what the files say, without what only says where it came from. */
async function rowsFrom(files: readonly string[]) {
  const { records, rows } = await readZendeskFiles(files);
  expect(rows.filter((row) => 'reason' in row)).toEqual([]);
  const cases = new Map<string, CaseEvent[]>();
  for (const event of records.filter(isEvent) as CaseEvent[]) {
    cases.set(event.case, [...(cases.get(event.case) ?? []), event]);
  }
  return sorted(caseRows(cases));
}
const sorted = (rows: ReturnType<typeof caseRows>) => [...rows].sort((a, b) => (a.key < b.key ? -1 : 1));

const shuffled = <T>(list: readonly T[], seed: number): T[] =>
  list
    .map((item, place) => ({ item, rank: ((place + seed) * 2_654_435_761) % 4_294_967_296 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);

describe('random histories written by Zendesk', () => {
  it.each(Object.keys(ENVELOPES))('come to the same rows as directly, as %s', async (name) => {
    const write = ENVELOPES[name]!;
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(1_000), async (cases, seed) => {
        fc.pre(cases.size > 0);
        const audits: Audit[] = [...cases.values()].flatMap((events, at) => auditsOf(events, (at + 1) * 1_000_000));
        const expected = sorted(caseRows(cases));
        const events = audits.map(ticketEventOf);
        const twice = shuffled([...audits, ...audits.slice(0, 5)], seed);
        expect(await rowsFrom([users, write(twice, 'audits')])).toEqual(expected);
        expect(await rowsFrom([users, write(shuffled(events, seed), 'ticket_events')])).toEqual(expected);
        const half = Math.floor(audits.length / 2);
        const mixed = [write(audits.slice(0, half + 1), 'audits'), write(events.slice(half), 'ticket_events')];
        expect(await rowsFrom([users, ...mixed])).toEqual(expected);
      }),
      { numRuns: tries(12) },
    );
  });
});

/** The rows with labels of one second in one order: those of a creation come in that of their names. */
const labelsSorted = (rows: ReturnType<typeof caseRows>) =>
  rows.map((row) => ({
    ...row,
    facts: { ...row.facts, label: [...row.facts.label].sort((a, b) => a.second - b.second || a.value - b.value) },
  }));

/** What the pack makes of tables. */
async function rowsOfTables(tables: Tables) {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'));
  try {
    for (const [name, lines] of Object.entries(tables)) await writeFile(join(folder, `${name}.csv`), lines.join('\n'));
    const pack = ratedPack(await findPack('fivetran-zendesk', 'UTC'), 'yes_no');
    const cases = new Map<string, CaseEvent[]>();
    const { batches } = await openPack({ path: folder, pack, zone: 'UTC', folder: tmpdir() });
    for await (const batch of batches)
      for (const row of 'cases' in batch ? batch.cases : batch) {
        if ('reason' in row) throw new Error(`${row.line}: ${row.reason}`);
        for (const event of row.records.filter(isEvent) as CaseEvent[])
          cases.set(event.case, [...(cases.get(event.case) ?? []), event]);
      }
    return sorted(caseRows(cases));
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('random histories written by Fivetran', () => {
  it('come to the same rows as directly, from its tables in any order of their rows', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(1_000), async (cases, seed) => {
        fc.pre(cases.size > 0);
        const tables = tablesOf(cases.values());
        const mixed = Object.entries(tables).map(([name, [header = '', ...rows]]) => [
          name,
          [header, ...shuffled(rows, seed)],
        ]);
        const kept = new Map([...cases].map(([ticket, events]) => [ticket, inTables(events)]));
        expect(labelsSorted(await rowsOfTables(Object.fromEntries(mixed)))).toEqual(
          labelsSorted(sorted(caseRows(kept))),
        );
      }),
      { numRuns: tries(25) },
    );
  });
});
