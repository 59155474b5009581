import { parseRecord } from '../../../../lib/import/records/records.ts';
import { Rejection } from '../../../../lib/json-readers.ts';

const target = { metric: 'first_response', seconds: 3600 };

function read(fields: Record<string, unknown>): unknown {
  try {
    return parseRecord({ type: 'sla_policy', id: 3, name: 'Gold', targets: [target], ...fields });
  } catch (error) {
    if (error instanceof Rejection) return error.message;
    throw error;
  }
}

describe('a record of a policy', () => {
  it('is taken with what it leaves out filled in, filters in their long form', () => {
    const filters = [[['Include', 'Companies', [{ id: '9' }]]]];
    const targets = [{ ...target, priorities: [8, 9], hours: 'business' }, target];
    expect(read({ position: 1, filters, targets })).toEqual({
      ...{ type: 'sla_policy', id: 3, name: 'Gold', position: 1 },
      filters: [[['Include', 'Companies', 'Is', '', false, [{ id: '9' }]]]],
      targets: [
        { metric: 'first_response', seconds: 3600, priorities: [8, 9], hours: 'business' },
        { metric: 'first_response', seconds: 3600, priorities: null, hours: 'calendar' },
      ],
    });
    expect(read({ filters: null, targets: [] })).toMatchObject({ filters: null, targets: [] });
    expect(parseRecord({ type: 'sla_policy', id: 3, deleted: true })).toEqual({
      type: 'sla_policy',
      id: 3,
      deleted: true,
    });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ targets: undefined }, 'targets is missing'],
    [{ targets: {} }, 'targets: {} is not a list'],
    [{ targets: [target, 5] }, 'targets[1]: 5 is not an object'],
    [
      { targets: [target, { ...target, metric: 'handle' }] },
      'targets[1].metric: "handle" is none of first_response, reply, resolution',
    ],
    [{ targets: [{ metric: 'reply' }] }, 'targets[0].seconds is missing'],
    [{ targets: [{ ...target, seconds: -1 }] }, 'targets[0].seconds: -1 is not a whole number from 0 to 3162240000'],
    [{ targets: [{ ...target, seconds: 1.5 }] }, 'targets[0].seconds: 1.5 is not a whole number from 0 to 3162240000'],
    [{ targets: [{ ...target, hours: 'office' }] }, 'targets[0].hours: "office" is none of calendar, business'],
    [
      { targets: [{ ...target, priorities: [3, 11] }] },
      'targets[0].priorities[1]: 11 is not a whole number from 1 to 10',
    ],
    [{ position: 'first' }, `position: "first" is not a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`],
    [
      { filters: 'all' },
      'filters is "all"; it takes a list of groups, each a list of conditions such as ["Include", "Agents", [{"id": 5}]], or null',
    ],
    [{ filters: [[['Include', 'Company', []]]] }, 'filters.0.0: Company is no filter object. Did you mean Companies?'],
  ])('is refused with its place: %j', (fields, reason) => {
    expect(read(fields)).toBe(reason);
  });
});
