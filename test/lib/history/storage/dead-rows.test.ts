import * as fc from 'fast-check';
import { ROW_VERSION } from '../../../../lib/history/cases/case-row.ts';
import { agentSubject } from '../../../../lib/history/cases/subject.ts';
import { encodeRows, openRows } from '../../../../lib/history/segments/history-row.ts';
import {
  createRowFinder,
  deadRows,
  gatherReplacements,
  type SegmentReplacements,
} from '../../../../lib/history/storage/dead-rows.ts';
import type { SegmentRef } from '../../../../lib/history/storage/manifest.ts';

const AGENTS = 12;

/** A segment of agents, each online for a second of their own. */
function segmentOf(agents: readonly number[]) {
  const columns = encodeRows(
    'sessions',
    agents.map((agent) => ({ agent, sessions: [{ from: secondOf(agent), to: secondOf(agent) + 1 }] })),
  );
  const seconds = agents.map(secondOf).sort((a, b) => a - b);
  return { columns, low: { second: seconds[0]!, hash: 0 }, high: { second: seconds.at(-1)!, hash: 0 } };
}

const secondOf = (agent: number): number => 100 + agent * 10;
const nameOf = (agent: number) => ({ second: secondOf(agent), subject: agentSubject(agent) });

const someAgents = fc.uniqueArray(fc.integer({ min: 0, max: AGENTS }), { minLength: 1, maxLength: 6 });
const births = fc.integer({ min: 1, max: 5 });

describe('dead rows', () => {
  it('are those that a segment born later names, however many names there are', () => {
    const replacing = fc.array(
      fc.record({ born: births, agents: fc.uniqueArray(fc.integer({ min: 0, max: AGENTS })) }),
      { maxLength: 5 },
    );
    const property = fc.property(replacing, fc.array(fc.tuple(births, someAgents)), (newer, segments) => {
      const replacements = gatherReplacements(
        newer.map(
          ({ born, agents }): SegmentReplacements => ({ born, names: [...agents].sort((a, b) => a - b).map(nameOf) }),
        ),
      );
      const finder = createRowFinder();
      for (const [born, agents] of segments) {
        const { columns, low, high } = segmentOf(agents);
        const ref: SegmentRef = {
          ...{ id: 1, parts: 1, kind: 'sessions', settled: true, born, low, high },
          ...{ start: low.second, end: high.second, rows: agents.length, facts: agents.length, weight: 1 },
          ...{ superseded: 0, version: ROW_VERSION },
        };
        const named = newer.filter((each) => each.born > born).flatMap((each) => each.agents.map(agentSubject));
        const subjects = openRows('sessions', columns).subjects();
        const expected = subjects.flatMap((subject, row) => (named.includes(subject) ? [row] : []));
        expect(deadRows(ref, replacements, finder('sessions', columns))).toEqual(expected);
      }
    });
    fc.assert(property);
  });
});
