import * as z from 'zod';
import { R_SETTINGS } from '../access/roles.ts';
import type { Context } from '../context.ts';
import { walkCommitted } from '../history/rewrite.ts';
import { listContents, type ShownContents, showContents } from '../history/take-back.ts';
import { listReply } from '../http/page.ts';
import { route } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import { timestampOrNull } from '../text.ts';
import { ALL_TELLINGS } from '../vocabulary.ts';
import { type ConnectionView, readView } from './show.ts';

const PATH = '/api/v2/sources';

const count = () => z.int().nullable().meta({ description: 'null: too many to be counted in the time of a request' });
const moment = () => z.string().nullable().meta({ format: 'date-time' });

const sourceShape = () =>
  z.object({
    name: z.string().nullable().meta({ description: 'null: the events that came without a source' }),
    kind: z.enum(['log', 'versioned']).meta({ description: 'log: events add up; versioned: an import replaces' }),
    removing: z.boolean().meta({ description: 'A removal has begun and is not complete' }),
    cases: count(),
    events: count(),
    first_event: moment(),
    last_event: moment(),
    last_import: moment(),
    tells: z
      .array(z.enum(ALL_TELLINGS))
      .nullable()
      .meta({ description: 'What it can tell, by its format and columns; null: unknown' }),
    connection: z.int().nullable().meta({ description: 'The connection to a help desk that brings it' }),
    as_of: moment().meta({ description: 'Up to when its changes at the help desk are in' }),
  });

/** The sources of a site and what each brought, as `support source list` shows them. */
export const sourcesRoute = route({
  name: 'listSources',
  summary: 'List from which sources the history came, and what each brought',
  method: 'GET',
  path: PATH,
  roles: R_SETTINGS,
  exclusive: true,
  extension: true,
  list: true,
  reads: () => [], // a pull that finds nothing moves `as_of`
  reply: () => pageShape(sourceShape()),
  handle: async (call) => {
    const { table, site } = call.context;
    const view = await readView(table, site.name);
    const sources = (await countedSources(call.context)).map((source) => ({ ...source, ...liveOf(source.name, view) }));
    return listReply(call, { path: PATH, seeds: sources, members: () => sources, show: (source) => source });
  },
});

/** The sources by name. Counts only what is merged, since a request writes no history; past its time it counts nothing. */
async function countedSources(context: Context) {
  let isLate = false;
  async function* inTime(): ReturnType<typeof walkCommitted> {
    for await (const leaf of walkCommitted(context)) {
      isLate = context.clock() > context.deadline;
      if (isLate) return;
      yield leaf;
    }
  }
  const contents = await listContents(context, inTime());
  return contents.map(showContents).map((each) => shownSource(each, isLate));
}

/** The connection that brings a source, and up to when its changes are in; nulls for one that files brought. */
const liveOf = (name: string | null, view: ConnectionView | undefined) =>
  view?.connection.source === name
    ? { connection: view.connection.id, as_of: timestampOrNull(view.progress?.asOf) }
    : { connection: null, as_of: null };

const NOT_COUNTED = { cases: null, events: null, first_event: null, last_event: null };

function shownSource({ source, kind, removing, imported, tells, ...counts }: ShownContents, isLate: boolean) {
  const { cases, events, first: first_event, last: last_event } = counts;
  const counted = isLate ? NOT_COUNTED : { cases, events, first_event, last_event };
  return { name: source, kind, removing, ...counted, last_import: imported, tells: tells && [...tells] };
}
