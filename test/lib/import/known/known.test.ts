import * as fc from 'fast-check';
import { ingest } from '../../../../lib/history/live.ts';
import { walkLedger } from '../../../../lib/history/rewrite.ts';
import { removeSource } from '../../../../lib/history/take-back.ts';
import type { LastCasesSlot } from '../../../../lib/import/known/known-cases.ts';
import { gatherCases, openCases } from '../../../../lib/import/known/known-cases.ts';
import { parseMapping } from '../../../../lib/import/mapping/parse-mapping.ts';
import { dyingTable, Killed } from '../../../support/faults/faulty-table.ts';
import { tries } from '../../../support/generators/depth.ts';
import { freshHistory, loadBatches, readRows } from '../../../support/generators/history.ts';
import { bytesOf, readMappedBytes } from '../../../support/generators/read-rows.ts';
import { freshTable } from '../../../support/service/table.ts';

const table = await freshTable();
type History = ReturnType<typeof freshHistory>;

const mappingOf = (more: object = {}) =>
  parseMapping(
    JSON.stringify({
      kind: 'tickets',
      time: { format: 'yyyy-MM-dd HH:mm', zone: 'UTC' },
      case: 'Id',
      created: 'Created',
      updated: 'Updated',
      as_of: 'Updated',
      agent: 'Agent',
      status: { column: 'Status', table: { Solved: 'resolved' }, default: 'open' },
      ...more,
    }),
    'mapping.json',
    'UTC',
  );
const MAPPING = mappingOf();
const OTHER = mappingOf({ submitter: 'Agent', requester: 'Id' });

interface Ticket {
  readonly id: number;
  readonly updated: number; // minute
  readonly agent: string;
  readonly status: string;
}

const csvOf = (tickets: readonly Ticket[]): string =>
  [
    'Id,Created,Updated,Agent,Status',
    ...tickets.map(
      ({ id, updated, agent, status }) => `${id},2026-03-02 09:00,2026-03-09 09:${updated},${agent},${status}`,
    ),
  ].join('\n');

/** Imports tickets; with a holder those that came so in the last import are not read again. */
function load(
  context: History,
  tickets: readonly Ticket[],
  { mapping = MAPPING, isComplete = false, asOf = undefined as number | undefined, fast = true } = {},
) {
  const holder: LastCasesSlot = {};
  const { batches } = readMappedBytes(bytesOf(csvOf(tickets)), mapping, { known: holder });
  const origin = {
    source: 'desk',
    isChosen: true,
    replaces: true,
    isComplete,
    ...(asOf === undefined ? {} : { asOf }),
  };
  return loadBatches(context, batches, { origin, ...(fast ? { known: { holder, salt: '' } } : {}) });
}

async function ledgerOf(context: History): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const known of walkLedger(context)) found.push(...known);
  return found;
}

const ticket = fc.record({
  id: fc.integer({ min: 1, max: 6 }),
  updated: fc.integer({ min: 10, max: 12 }),
  agent: fc.constantFrom('Ann', 'Bob', ''),
  status: fc.constantFrom('Open', 'Solved'),
});
const tickets = fc.uniqueArray(ticket, { selector: ({ id }) => id, maxLength: 6, minLength: 1 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('import' as const),
      tickets: fc.option(tickets, { nil: undefined, freq: 3 }),
      isComplete: fc.boolean(),
      other: fc.integer({ min: 0, max: 9 }),
      asOf: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined, freq: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('live' as const),
      id: fc.integer({ min: 1, max: 6 }),
      updated: fc.integer({ min: 10, max: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const) }) },
);

describe('cases that came with the same rows in the last import', () => {
  it('end as if they had been read again, whatever else happens to the source', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), async (steps) => {
      const results = await Promise.all(
        [true, false].map(async (fast) => {
          const context = freshHistory(table);
          const said: unknown[] = [];
          let last: readonly Ticket[] = [{ id: 1, updated: 10, agent: 'Ann', status: 'Open' }];
          for (const one of steps) {
            context.now += 1000;
            if (one.do === 'remove') await removeSource(context, 'desk');
            else if (one.do === 'live') {
              const at = Date.parse(`2026-03-09T09:${one.updated}:00Z`) * 1000;
              await ingest(context, [
                {
                  type: 'note',
                  id: 'live',
                  at,
                  case: String(one.id),
                  source: 'desk',
                  as_of: [at, null, context.now * 1000],
                },
              ]);
            } else {
              last = one.tickets ?? last;
              const mapping = one.other === 0 ? OTHER : MAPPING;
              const { added, replaced, unchanged, superseded, removed, fates } = await load(context, last, {
                ...one,
                mapping,
                fast,
              });
              said.push({ added, replaced, unchanged, superseded, removed, fates: Object.entries(fates).sort() });
            }
          }
          return { said, rows: await readRows(context), ledger: await ledgerOf(context) };
        }),
      );
      expect(results[0]).toEqual(results[1]);
    });
    await fc.assert(property, { numRuns: tries(40) });
  });

  it('are told in the summary, and a changed one is read', async () => {
    const context = freshHistory(table);
    const week = Array.from({ length: 50 }, (_, id): Ticket => ({ id, updated: 10, agent: 'Ann', status: 'Open' }));
    expect(await load(context, week)).toMatchObject({ known: { cases: 0 }, added: 200 });
    expect(await load(context, week)).toMatchObject({
      known: { cases: 50, types: { 'case.created': 50 } },
      added: 0,
      unchanged: 200,
    });
    const next = week.map((one) => (one.id === 7 ? { ...one, updated: 11, agent: 'Bob' } : one));
    expect(await load(context, next)).toMatchObject({ known: { cases: 49 }, replaced: 2 });
    expect(await load(context, next)).toMatchObject({ known: { cases: 50 } });
    expect(await load(context, next, { mapping: OTHER })).toMatchObject({ known: { cases: 0 } });
  });

  it('are not believed after an import that was killed', async () => {
    const tickets = [1, 2, 3].map((id): Ticket => ({ id, updated: 10, agent: 'Ann', status: 'Open' }));
    const changed = tickets.map((one) => ({ ...one, updated: 11, agent: 'Bob' }));
    let struck = true;
    for (let writes = 0; struck; writes += 1) {
      const context = freshHistory(table);
      await load(context, tickets);
      context.now += 1000;
      struck = await load({ ...context, table: dyingTable(table, writes) } as History, changed).then(
        () => false,
        (error: unknown) => {
          if (error instanceof Killed) return true;
          throw error;
        },
      );
      context.now += 1000;
      await load(
        context,
        tickets.map((one) => ({ ...one, updated: 12 })),
      );
      await load(
        context,
        changed.map((one) => ({ ...one, updated: 13 })),
      );
      const straight = freshHistory(table);
      await load(
        straight,
        changed.map((one) => ({ ...one, updated: 13 })),
      );
      expect(await readRows(context)).toEqual(await readRows(straight));
    }
  });

  it('are found by their digests alone', () => {
    const gathered = gatherCases([]);
    for (let at = 0; at < 10_000; at += 1) {
      const types = Array.from({ length: 1 + (at % 5) }, () => 'note');
      gathered.add({ high: at * 7, low: at % 97 }, types);
    }
    const shapeOf = openCases(gathered.pack());
    expect(gathered.shapes).toHaveLength(5);
    for (let at = 0; at < 10_000; at += 1) expect(shapeOf({ high: at * 7, low: at % 97 })).toBe(at % 5);
    expect(shapeOf({ high: 3, low: 3 })).toBe(-1);
  });
});
