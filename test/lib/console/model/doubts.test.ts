import {
  behindColumn,
  columnWith,
  rolesBehind,
  takenRow,
  unitAfter,
  withColumn,
  withUnit,
} from '../../../../lib/console/model/doubts.ts';
import type { ShownProposal } from '../../../../lib/console/model/questions.ts';
import { localIn } from '../../../../lib/console/model/zone.ts';

const SURE = { state: 'proven', why: 'by its name' } as const;
const found = (role: ShownProposal['roles'][number]['role'], label: string, column: string | null) => ({
  ...{ role, label, column, ...SURE },
});
const PROPOSAL: ShownProposal = {
  kind: 'tickets',
  columns: ['Nr', 'State', 'Took', 'Note'],
  roles: [
    found('case', 'Case', 'Nr'),
    found('status', 'Status', 'State'),
    found('solved_after', 'Time to solve', 'Took'),
    found('solved', 'Solved at', null),
  ],
  meanings: [
    {
      ...{ role: 'status', column: 'State', choices: [{ answer: 'closed', text: 'Closed' }] },
      values: [{ value: 'Done', rows: 3, meaning: 'closed', ...SURE }],
    },
  ],
  units: [{ column: 'Took', unit: 'hours', choices: [], ...SURE }],
  fields: [],
};

describe('what a person says is wrong', () => {
  it('leads from an event to the roles that decide it, as far as the file has them', () => {
    expect(rolesBehind(PROPOSAL, { type: 'case.status' })).toEqual(['status', 'solved', 'solved_after']);
    expect(rolesBehind(PROPOSAL, { type: 'csat.rated' })).toEqual([]);
  });

  it('is seen at the times of the site', () => {
    expect(localIn('America/New_York', '2026-02-01T10:24:00.000000Z')).toBe('2026-02-01T05:24:00');
  });

  it('shows a row as it was taken, the used columns first', () => {
    expect(takenRow(PROPOSAL, ['Note', 'State', 'Took'], ['x', 'Done', '24'])).toEqual([
      { column: 'State', value: 'Done', role: 'Status', meaning: 'Closed' },
      { column: 'Took', value: '24', role: 'Time to solve', meaning: 'hours' },
      { column: 'Note', value: 'x', role: undefined, meaning: undefined },
    ]);
    expect(takenRow(PROPOSAL, ['State'], [''])).toMatchObject([{ role: 'Status', meaning: undefined }]);
  });

  it('is answered by the column of a role or a unit; a column loses the role that it had', () => {
    const answers = withColumn(PROPOSAL, {}, 'solved', 'Took');
    expect(answers).toEqual({ 'role:solved_after': null, 'role:solved': 'Took' });
    expect([columnWith(PROPOSAL, answers, 'solved'), columnWith(PROPOSAL, answers, 'solved_after')]).toEqual([
      'Took',
      null,
    ]);
    expect(withColumn(PROPOSAL, {}, 'solved', null)).toEqual({ 'role:solved': null });
    const { unit, meanings } = behindColumn(PROPOSAL, 'Took');
    if (unit === undefined) throw new Error('no unit');
    expect([meanings, unitAfter(unit, {}), unitAfter(unit, withUnit({}, unit, null))]).toEqual([
      undefined,
      'hours',
      null,
    ]);
  });
});
