import { R_READ } from '../access/roles.ts';
import { nameText } from '../resource/field.ts';
import { resource } from '../resource/resource.ts';
import { routesOf } from '../resource/routes.ts';
import { recordsOf } from '../resource/storing.ts';

/** Channels: read only; their ids begin at 0 (docs/import.md). */
export const channelRoutes = routesOf(
  resource({
    one: 'channel',
    path: '/api/v2/channels',
    storing: recordsOf('channel', 0),
    roles: R_READ,
    fields: { name: nameText({}) },
  }),
);
