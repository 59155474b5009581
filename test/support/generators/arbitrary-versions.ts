import * as fc from 'fast-check';
import { type AsOf, type HistoryEvent, isOfAgent } from '../../../lib/history/cases/event.ts';
import { arbitraryCases, arbitrarySessions } from './histories.ts';

/** Sources that are logs of events; the first one has no name. */
const LOGS = [undefined, 'calls', 'mail'] as const;
/** Sources whose cases come as whole versions. */
const VERSIONED = ['export', 'Ausfuhr'] as const;

/** Only a few versions, so that equal ones are often met. Some lack parts. */
const arbitraryAsOf: fc.Arbitrary<AsOf> = fc.constantFrom<AsOf[]>(
  [1_762_000_000_000_000],
  [1_762_000_000_000_000, null, 5],
  [1_762_000_000_000_000, 7],
  [null, 1_762_000_000_000_000],
  [null, null, 1_762_000_000_000_001],
  [0],
);

const log = fc.constantFrom(...LOGS).map((source) => (source === undefined ? {} : { source }));
const version = fc.record({ source: fc.constantFrom(...VERSIONED), as_of: arbitraryAsOf });

/** Gives an event an origin: a log, or a version of a source. Some events become the mark of a version. */
const placed = (event: HistoryEvent): fc.Arbitrary<HistoryEvent> =>
  fc.oneof(
    { weight: 3, arbitrary: log.map((origin) => ({ ...later(event, origin), ...origin })) },
    { weight: 4, arbitrary: version.map((origin) => ({ ...later(event, origin), ...origin })) },
    { weight: 1, arbitrary: version.map((origin) => markLike(event, origin)) },
  );

/** Repeats events: each comes from one or more sources and versions. */
export const inVersions = (events: readonly HistoryEvent[]): fc.Arbitrary<HistoryEvent[]> =>
  fc
    .tuple(...events.map((event) => fc.array(placed(event), { minLength: 1, maxLength: 3 })))
    .map((lists) => lists.flat());

/** Moves an event by seconds that depend on its source and version, so that tests can see which one it is from. */
function later<E extends HistoryEvent>(event: E, origin: { readonly source?: string; readonly as_of?: AsOf }): E {
  const seconds = (JSON.stringify(origin).length % 3) * 45;
  return { ...event, at: event.at + seconds * 1_000_000 };
}

function markLike(event: HistoryEvent, origin: { readonly source: string; readonly as_of: AsOf }): HistoryEvent {
  const base = { id: '', at: 0, ...origin };
  return isOfAgent(event)
    ? { ...base, type: 'agent.version', agent: event.agent }
    : { ...base, type: 'case.version', case: event.case };
}

/** Events of some cases and agents, each from one or more sources and versions, in any order. */
export const arbitraryVersions: fc.Arbitrary<HistoryEvent[]> = fc
  .tuple(arbitraryCases, arbitrarySessions)
  .chain(([cases, sessions]) => {
    const events: HistoryEvent[] = [...[...cases.values()].flat(), ...sessions];
    return inVersions(events);
  });
