import * as fc from 'fast-check';
import type { HistoryEvent } from '../../../../lib/history/cases/event.ts';
import { readWritten, writeEvent } from '../../../../lib/import/spill/written-events.ts';
import { arbitraryVersions } from '../../../support/generators/arbitrary-versions.ts';
import { arbitraryCases, arbitrarySessions } from '../../../support/generators/histories.ts';

const roundTrip = (events: readonly HistoryEvent[], line: number) =>
  readWritten(Buffer.from(events.map((event) => writeEvent({ event, line })).join('')));

describe('written events', () => {
  it('are what they were', () => {
    fc.assert(
      fc.property(arbitraryCases, arbitrarySessions, fc.nat(), (cases, sessions, line) => {
        const events = [...cases.values(), sessions].flat();
        expect(roundTrip(events, line)).toEqual(events.map((event) => ({ event, line })));
      }),
    );
  });

  it('keep where they come from', () => {
    fc.assert(
      fc.property(arbitraryVersions, (events) => {
        expect(roundTrip(events, 1)).toEqual(events.map((event) => ({ event, line: 1 })));
      }),
    );
  });

  it('keep when their case changed, before they have a source', () => {
    const event: HistoryEvent = { type: 'note', id: 'a', at: 1, case: '7', as_of: [5, null, 7] };
    expect(roundTrip([event], 1)).toEqual([{ event, line: 1 }]);
  });

  it('keep ids of any text, and numbers as large as they can be', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const base = { id: '1,2"\n', at: 7_258_118_399_999_999, case: 'größer, 日本 😀' };
    const events: HistoryEvent[] = [
      { ...base, type: 'case.assigned', to: { agent: most, group: null }, agent: most, group: most },
      { ...base, type: 'case.company', company: most, automated: true },
      { ...base, type: 'case.custom_field', field: most, value: null },
      { ...base, type: 'macro.applied', macro: most },
      { ...base, type: 'case.created', custom_fields: { [most]: '1,😀' }, channel: 0, labels: [] },
    ];
    expect(roundTrip(events, 1)).toEqual(events.map((event) => ({ event, line: 1 })));
  });
});
