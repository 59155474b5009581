import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import type { ReferenceRecord } from '../../../lib/import/records/reference-record.ts';

const HUGE = 9_007_199_254_740_990; // members may be as large as 2^53 - 1

/** The members that histories name; the last of each kind has no reference record. */
export const MEMBERS = {
  agent: [1, 2, 3, HUGE],
  group: [1, 2, 30],
  channel: [0, 1, 8],
  label: [3, 4, 5, HUGE + 1],
  macro: [6, 7, 12],
  company: [9, 10],
  field: [11, 12, 13],
} as const;

export const VALUES = ['gold', 'Gold', 'Grün', 'a:b', '7'] as const;

/** Reference records with similar names: equal except for case, part of another name, or the id of another member. */
export const arbitraryReference: fc.Arbitrary<ReferenceRecord[]> = fc
  .record({
    groups: fc.array(fc.subarray([1, 2, 30]), { minLength: 3, maxLength: 3 }),
    listed: fc.boolean(),
    shift: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ groups, listed, shift }) => {
    const name = (place: number): string => ['Ann', 'ann', 'Anna Grün', 'B', '30', 'b.c'][(place + shift) % 6] ?? '';
    const known = (ids: readonly number[]) => ids.slice(0, -1).map((id, place) => ({ id, name: name(place) }));
    return [
      ...known(MEMBERS.agent).map((agent, place) => ({
        type: 'agent' as const,
        ...agent,
        groups: groups[place] ?? [],
      })),
      ...(['group', 'channel', 'label', 'company'] as const).flatMap((type) =>
        known(MEMBERS[type]).map((member, place) => ({ type, ...member, deleted: place === 1 })),
      ),
      ...known(MEMBERS.macro).map((macro) => ({ type: 'macro' as const, ...macro })),
      { type: 'custom_field', id: 11, name: 'Plan', object: 'case', values: ['gold', 'silver'] },
      { type: 'custom_field', id: 12, name: 'Gold code', object: 'case', ...(listed ? { values: ['7'] } : {}) },
    ];
  });

/** The key of meta for a value of a custom field (docs/rules.md 12). */
export const valueKey = (field: number, value: string): string =>
  `${field}:${createHash('sha256').update(value).digest('hex').slice(0, 16)}`;

/** Ids of members by kind, as requests send them, including unknown ones. */
export const MEMBER_IDS: Readonly<Record<string, readonly string[]>> = {
  agent: [...MEMBERS.agent.map(String), '999'],
  group: [...MEMBERS.group.map(String), '999'],
  channel: [...MEMBERS.channel.map(String), '999'],
  label: [...MEMBERS.label.map(String), '999'],
  macro: [...MEMBERS.macro.map(String), '999'],
  company: [...MEMBERS.company.map(String), '999'],
  custom_field: ['11', '12', '13', ...VALUES.flatMap((value) => [valueKey(11, value), valueKey(12, value)]), 'nothing'],
  priority: ['1', '5', '10', '11'],
  csat: ['0', '1', '4', '9'],
  status: ['new', 'open', 'pending', 'resolved', 'closed', 'gone'],
  hour: ['0', '9', '14', '23', '24'],
  weekday: ['1', '3', '6', '7', '8'],
};
