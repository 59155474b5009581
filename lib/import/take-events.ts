import type { HistoryEvent } from '../history/event.ts';
import { ingest } from '../history/live.ts';
import type { Fate } from '../history/messages.ts';
import { conflict, type ImportContext, misfit } from './import-rows.ts';
import { newMentions } from './mentions.ts';

/** Takes live events in, and notes the members that they name. Tells in the same order what became of each. */
export async function takeEvents(context: ImportContext, events: readonly HistoryEvent[]): Promise<readonly Fate[]> {
  const { table, collections, site } = context;
  const misfits = new Map(events.map((event) => [event, misfit(event, site.rating)]));
  const fitting = events.filter((event) => misfits.get(event) === undefined);
  const mentions = newMentions();
  for (const event of fitting) mentions.see(event);
  await mentions.write({ site: site.name, table, collections, now: context.clock() });
  const outcomes = await ingest(context, fitting);
  const fates = new Map(
    fitting.map((event, place): [HistoryEvent, Fate] => {
      const one = outcomes[place];
      if (one?.outcome === 'failed') return [event, { error: one.error }];
      return [event, one?.outcome === 'conflict' ? { reason: conflict(event) } : 'taken'];
    }),
  );
  return events.map((event) => fates.get(event) ?? { reason: misfits.get(event) ?? 'not for this site' });
}
