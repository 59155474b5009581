import * as fc from 'fast-check';
import { type AsOf, type HistoryEvent, isOfAgent } from '../../../lib/history/cases/event.ts';
import { arbitraryHistory } from './histories.ts';

/** Sources that are logs; the first one has no name. */
export const LOGS = [undefined, 'calls', 'mail'] as const;
/** Sources whose cases come as whole versions. */
export const VERSIONED = ['export', 'Ausfuhr'] as const;

/** A few moments, so that versions often meet: some lack parts. */
export const arbitraryAsOf: fc.Arbitrary<AsOf> = fc.constantFrom<AsOf[]>(
  [1_762_000_000_000_000],
  [1_762_000_000_000_000, null, 5],
  [1_762_000_000_000_000, 7],
  [null, 1_762_000_000_000_000],
  [null, null, 1_762_000_000_000_001],
  [0],
);

const log = fc.constantFrom(...LOGS).map((source) => (source === undefined ? {} : { source }));
const version = fc.record({ source: fc.constantFrom(...VERSIONED), as_of: arbitraryAsOf });

/** An event from a log, or in a version of its source; some become the mark of a version. */
const placed = (event: HistoryEvent): fc.Arbitrary<HistoryEvent> =>
  fc.oneof(
    { weight: 3, arbitrary: log.map((origin) => ({ ...event, ...origin })) },
    { weight: 4, arbitrary: version.map((origin) => ({ ...event, ...origin })) },
    { weight: 1, arbitrary: version.map((origin) => markLike(event, origin)) },
  );

function markLike(event: HistoryEvent, origin: { readonly source: string; readonly as_of: AsOf }): HistoryEvent {
  const base = { id: '', at: 0, ...origin };
  return isOfAgent(event)
    ? { ...base, type: 'agent.version', agent: event.agent }
    : { ...base, type: 'case.version', case: event.case };
}

/** Events of some cases and agents from several sources, in any order. */
export const arbitraryVersions: fc.Arbitrary<HistoryEvent[]> = arbitraryHistory.chain((events) =>
  fc.tuple(...events.map(placed)),
);
