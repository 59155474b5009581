import { describe, expect, it } from '@jest/globals';
import {
  columnOf,
  roleOf,
  rolesOf,
  valueTables,
  withMeaning,
  withRole,
} from '../../../../lib/console/model/mapping-roles.ts';
import { parseMapping } from '../../../../lib/import/formats/parse-mapping.ts';

const TICKETS = {
  kind: 'tickets',
  time: { zone: 'UTC' },
  case: 'Id',
  created: { column: 'Opened', format: 'yyyy-MM-dd' },
  agent: 'Owner',
  status: { column: 'State', table: { Solved: 'resolved', Odd: 'open' } },
};

describe('the roles of columns', () => {
  it('are read out of a mapping, whatever form a value has', () => {
    expect(['Id', 'Opened', 'Owner', 'State', 'Other'].map((column) => roleOf(TICKETS, column))).toEqual([
      ...['case', 'created', 'agent', 'status'],
      undefined,
    ]);
    expect(columnOf({ kind: 'activities', actor: { agent: 'Who' } }, 'actor.agent')).toBe('Who');
  });

  it('move from column to column, and what was said of times stays', () => {
    const moved = withRole(TICKETS, 'First seen', 'created', []);
    expect(moved.created).toEqual({ column: 'First seen', format: 'yyyy-MM-dd' });
    expect(roleOf(moved, 'Opened')).toBeUndefined();
    const swapped = withRole(moved, 'Owner', 'group', []);
    expect([swapped.group, 'agent' in swapped]).toEqual(['Owner', false]);
    expect('agent' in withRole(TICKETS, 'Owner', undefined, [])).toBe(false);
  });

  it('bring a table for columns whose values mean something, by their words', () => {
    const next = withRole(TICKETS, 'Level', 'priority', ['High', 'Odd', 'High', '']);
    expect(next.priority).toEqual({ column: 'Level', table: { High: 8, Odd: null }, default: null });
    expect(valueTables(next).map(({ role, values }) => [role, values])).toEqual([
      [
        'status',
        [
          ['Solved', 'resolved'],
          ['Odd', 'open'],
        ],
      ],
      [
        'priority',
        [
          ['High', '8'],
          ['Odd', ''],
        ],
      ],
    ]);
    const meant = withMeaning(withMeaning(next, 'priority', 'Odd', '3'), 'status', 'Odd', 'pending');
    expect(valueTables(meant).map(({ values }) => values[1])).toEqual([
      ['Odd', 'pending'],
      ['Odd', '3'],
    ]);
  });

  it('give mappings that the importer takes', () => {
    const values = ['Email', 'a,b', 'High', 'Open'];
    for (const role of rolesOf(TICKETS).filter((one) => one !== 'case' && one !== 'created')) {
      const mapping = withRole(TICKETS, 'Extra', role, values);
      expect([role, parseMapping(JSON.stringify(mapping), 'it', 'UTC').kind]).toEqual([role, 'tickets']);
    }
    const log = { kind: 'snapshots', time: { zone: 'UTC' }, case: 'Id', at: 'When' };
    for (const role of rolesOf(log).filter((one) => one !== 'case' && one !== 'at'))
      expect(parseMapping(JSON.stringify(withRole(log, 'Extra', role, values)), 'it', 'UTC').kind).toBe('snapshots');
  });
});
