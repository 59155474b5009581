import * as fc from 'fast-check';
import {
  byPosition,
  overruled,
  shownFilters,
  type Target,
  targetFaults,
  toggled,
  toTarget,
  typedTarget,
  typedTime,
  unitsFor,
} from '../../../../../lib/console/model/settings/promise.ts';
import { SLA_HOURS, SLA_METRICS } from '../../../../../lib/insights/promises/sla-policies.ts';

const target = fc.record({
  metric: fc.constantFrom(...SLA_METRICS),
  priorities: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 10 })), { nil: null }),
  seconds: fc.integer({ min: 0, max: 3_162_240_000 }),
  hours: fc.constantFrom(...SLA_HOURS),
});

describe('a time that is promised', () => {
  it('is typed in the largest unit that it fills, working time never in days', () => {
    expect(typedTime({ seconds: 5_400, hours: 'calendar' })).toEqual({ count: '90', unit: 'minutes' });
    expect(typedTime({ seconds: 259_200, hours: 'calendar' })).toEqual({ count: '3', unit: 'days' });
    expect(typedTime({ seconds: 259_200, hours: 'business' })).toEqual({ count: '72', unit: 'hours' });
    expect(typedTime({ seconds: 45, hours: 'calendar' })).toEqual({ count: '0.75', unit: 'minutes' });
    expect(unitsFor('business')).not.toContain('days');
  });

  it('is saved as it was, if nobody changed it', () => {
    fc.assert(
      fc.property(target, (one) => {
        expect(toTarget(typedTarget(one))).toEqual(one);
      }),
    );
  });

  it.each(['', ' ', 'soon', '1,5'])('is no number for %j, which the service refuses', (count) => {
    const typed = { metric: 'reply', priorities: null, hours: 'calendar', time: { count, unit: 'hours' } } as const;
    expect(toTarget(typed).seconds).toBeNaN();
  });
});

/** The place of the target that applies to a case, as the service chooses it. */
const applying = (targets: readonly Target[], metric: string, priority: number | null): number =>
  targets.findIndex(
    (one) =>
      one.metric === metric && (one.priorities === null || (priority !== null && one.priorities.includes(priority))),
  );

describe('a target', () => {
  it('is overruled exactly if no case of any priority gets to it', () => {
    const priorities = [null, ...Array.from({ length: 10 }, (_, nth) => nth + 1)];
    fc.assert(
      fc.property(fc.array(target, { maxLength: 6 }), (targets) => {
        const used = new Set(
          SLA_METRICS.flatMap((metric) => priorities.map((priority) => applying(targets, metric, priority))),
        );
        expect([...overruled(targets)]).toEqual([...targets.keys()].filter((place) => !used.has(place)));
      }),
    );
  });

  it('is for all priorities once none is chosen', () => {
    expect(toggled(null, 9)).toEqual([9]);
    expect(toggled([9], 10)).toEqual([9, 10]);
    expect(toggled([9, 10], 9)).toEqual([10]);
    expect(toggled([10], 10)).toBeNull();
  });

  it('has the fault that is about it, in both forms in which the service names it', () => {
    const faults = targetFaults([
      { field: 'name', code: 'blank', message: 'name is missing or blank.' },
      { field: 'targets.0.seconds', code: 'invalid', message: 'targets.0.seconds is null; it takes a whole number.' },
      { field: 'targets', code: 'invalid', message: 'targets[12].priorities[0]: 11 is not a whole number.' },
      { field: 'targets', code: 'invalid', message: 'targets: more than 1000 elements.' },
    ]);
    expect([...faults].map(([place, { part }]) => [place, part])).toEqual([
      [0, 'seconds'],
      [12, 'priorities'],
    ]);
  });
});

describe('the filters of a policy', () => {
  const filters = [
    [
      ['Include', 'Companies', 'Contains', 'Gold', true, []],
      ['Exclude', 'Labels', 'Is', '', false, [{ id: '9' }, { id: 3 }]],
    ],
    [['Include', 'Priorities', [{ id: 10 }]]],
  ];

  it('stay as they are where nobody touched them', () => {
    const { groups, toApi } = shownFilters(filters);
    expect(toApi(groups)).toEqual(filters);
    const [first = [], second = []] = groups;
    const added = { action: 'Include', object: 'Channels', ids: ['1'], text: '' } as const;
    expect(toApi([first.slice(0, 1), [...second, added]])).toEqual([
      filters[0]?.slice(0, 1),
      [...(filters[1] ?? []), ['Include', 'Channels', [{ id: '1' }]]],
    ]);
  });

  it('are null once the last one is gone', () => {
    expect(shownFilters(null).groups).toEqual([]);
    expect(shownFilters(filters).toApi([])).toBeNull();
  });
});

it('lists policies as they apply: by position and id, those without a position last', () => {
  const policies = [
    { id: 4, position: null },
    { id: 1, position: 7 },
    { id: 3, position: null },
    { id: 2, position: 7 },
    { id: 5, position: 0 },
  ];
  expect(byPosition(policies).map(({ id }) => id)).toEqual([5, 1, 2, 3, 4]);
});
