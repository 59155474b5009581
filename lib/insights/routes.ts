import { R_INSIGHTS } from '../access/roles.ts';
import { show } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { keys } from '../store/keys.ts';
import { META_KINDS, type MetaKind, metaOf, metaShape } from './meta.ts';

/** Routes 1-2 of api.md 4.0: one outstanding request per site over all of them. */
export const insightsRoutes: readonly Route[] = [
  route({
    name: 'showMeta',
    summary: 'Show the reference data that reports speak of',
    method: 'GET',
    path: '/api/v2/insights3/meta',
    roles: R_INSIGHTS,
    exclusive: true,
    reply: metaShape,
    reads: (site) => [keys.macros(site), ...META_KINDS.map((kind) => keys.reference(site, kind))],
    handle: async ({ context }) => {
      const { site } = context;
      const records = (kind: MetaKind) => context.open(keys.reference(site.name, kind));
      const [macros, channel, label, agent, group, article, custom_field] = await Promise.all([
        context.open(keys.macros(site.name)),
        records('channel'),
        records('label'),
        records('agent'),
        records('group'),
        records('article'),
        records('custom_field'),
      ]);
      return show(metaOf(site, macros, { channel, label, agent, group, article, custom_field }));
    },
  }),
];
