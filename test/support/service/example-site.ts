import * as fc from 'fast-check';
import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import { eventRecord } from '../../../lib/import/export/event-record.ts';
import { arbitraryExample } from '../generators/requests.ts';
import type { AnyExample, Example } from '../oracle/example.ts';
import { importRecords } from './import.ts';
import { addUser, newSite, type TestService } from './service.ts';

/** A random history and a report's body, with the host of their site. */
export interface ExampleSite extends Example {
  readonly host: string;
}

/** Imports `count` random histories, each into a site of its own. */
export async function exampleSites(
  { table }: Pick<TestService, 'table'>,
  count: number,
  seed: number,
): Promise<ExampleSite[]> {
  const examples = fc.sample(arbitraryExample, { numRuns: count, seed }).map(ratable);
  const run = Math.random().toString(36).slice(2, 8); // a deployed table may still have the sites of other runs
  const sites: ExampleSite[] = [];
  for (const [place, example] of examples.entries()) {
    const { site, reference, events } = example;
    const whole = await newSite(table, { name: `example-${run}-${place}`, ...site }, { default: false });
    await addUser(table, whole.name, 'Administrator');
    await importRecords(table, whole, [...reference, ...events.map(eventRecord)]);
    sites.push({ ...example, host: `${whole.name}.localhost` });
  }
  return sites;
}

/** The example with only those ratings that the scale of its site allows. */
export function ratable<E extends Pick<AnyExample, 'events' | 'site'>>(example: E): E {
  const { rating } = example.site;
  const takes = (score: number | null): boolean => score === null || (rating === 'yes_no' ? score <= 1 : score >= 1);
  const isTaken = (event: HistoryEvent): boolean => event.type !== 'csat.rated' || takes(event.score);
  return { ...example, events: example.events.filter(isTaken) };
}
