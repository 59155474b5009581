import * as z from 'zod';
import { recordName } from '../access/records.ts';
import { readsOfResource, recordsOf } from '../http/resource.ts';
import type { Route } from '../http/route.ts';
import { idShape, linkShape } from '../http/shapes.ts';

const PATH = '/api/v2/channels';

/** Channels: read only; their ids begin at 0 (docs/import.md). */
export const channelRoutes: readonly Route[] = readsOfResource({
  ...recordsOf('channel', 0),
  path: PATH,
  param: 'channel_id',
  shape: () => z.object({ id: idShape(0), name: z.string(), _links: z.object({ self: linkShape('channel') }) }),
  show: (item) => ({
    id: item.id,
    name: recordName(item),
    _links: { self: { href: `${PATH}/${item.id}`, class: 'channel' } },
  }),
});
