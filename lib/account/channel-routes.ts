import * as z from 'zod';
import type { Route } from '../http/route.ts';
import { idShape, linkShape } from '../http/shapes.ts';
import { readsOfResource, recordName } from '../http/small-resource.ts';

const PATH = '/api/v2/channels';

/** Channels: read only; their ids begin at 0 (docs/import.md). */
export const channelRoutes: readonly Route[] = readsOfResource({
  ...{ kind: 'channel', one: 'Channel', many: 'Channels', path: PATH, param: 'channel_id', leastId: 0 },
  shape: () => z.object({ id: idShape(0), name: z.string(), _links: z.object({ self: linkShape('channel') }) }),
  shown: (_context, item) => ({
    id: item.id,
    name: recordName(item),
    _links: { self: { href: `${PATH}/${item.id}`, class: 'channel' } },
  }),
});
