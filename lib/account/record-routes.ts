import * as z from 'zod';
import { R_READ, ROLES } from '../access/roles.ts';
import { Failure } from '../errors.ts';
import { idOf } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { show } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { idShape, linkShape, pageShape } from '../http/shapes.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { keys, members, type ReferenceKind } from '../store/keys.ts';
import type { Item } from '../store/table.ts';

/** A kind of reference record that links lead to: its names, and the fields shown besides id and self. */
interface Linked {
  readonly kind: ReferenceKind;
  readonly one: string; // for route names
  readonly many: string;
  readonly path: string;
  readonly class: string;
  readonly leastId: 0 | 1; // channels begin at 0 (docs/import.md)
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly fields: (item: Item) => Readonly<Record<string, unknown>>;
}

const named = z.object({ id: z.int(), name: z.string().nullish() });
const nameOf = (item: Item): string => {
  const { id, name } = named.parse(item);
  return name ?? String(id);
};

export const agent = z.object({
  login: z.string().nullish(),
  role: z.enum(ROLES).nullish(),
  groups: z.array(z.int()).nullish(),
});
const customField = z.object({ object: z.enum(['case', 'customer']).nullish(), values: z.array(z.string()).nullish() });
export const USER_SHAPE = {
  name: z.string(),
  login: z.string().nullable(),
  role: z.enum(ROLES).nullable(),
  groups: z.array(z.int()),
};

const plain = (kind: ReferenceKind, one: string, many: string): Linked => ({
  kind,
  one,
  many,
  path: `/api/v2/${many.toLowerCase()}`,
  class: kind,
  leastId: kind === 'channel' ? 0 : 1,
  shape: { name: z.string() },
  fields: (item) => ({ name: nameOf(item) }),
});

/** The fields of an agent that are shown besides id and self. */
export function userFields(item: Item) {
  const { login, role, groups } = agent.parse(item);
  return { name: nameOf(item), login: login ?? null, role: role ?? null, groups: groups ?? [] };
}

export const USERS_PATH = '/api/v2/users';

const USERS: Linked = {
  kind: 'agent',
  one: 'User',
  many: 'Users',
  path: USERS_PATH,
  class: 'user',
  leastId: 1,
  shape: USER_SHAPE,
  fields: userFields,
};

const LINKED: readonly Linked[] = [
  USERS,
  plain('group', 'Group', 'Groups'),
  plain('label', 'Label', 'Labels'),
  plain('company', 'Company', 'Companies'),
  plain('channel', 'Channel', 'Channels'),
  {
    ...plain('custom_field', 'CustomField', 'CustomFields'),
    path: '/api/v2/custom_fields',
    shape: { name: z.string(), object: z.enum(['case', 'customer']), values: z.array(z.string()) },
    fields: (item) => {
      const { object, values } = customField.parse(item);
      return { name: nameOf(item), object: object ?? 'case', values: values ?? [] };
    },
  },
];

/** The records that are not deleted, by id. */
export const present = (collection: Collection): readonly Item[] => perVersion(collection, readPresent);

const readPresent = ({ items }: Collection): Item[] =>
  [...items.values()].filter(({ deleted }) => deleted !== true).sort((a, b) => Number(a.id) - Number(b.id));

/** A record that is not deleted; throws `not_found`. */
export function recordIn({ items }: Collection, id: number): Item {
  const item = items.get(members.item(id));
  if (item === undefined || item.deleted === true) throw new Failure('not_found');
  return item;
}

function shown({ path, class: name, fields }: Linked, item: Item): Record<string, unknown> {
  return { id: item.id, ...fields(item), _links: { self: { href: `${path}/${item.id}`, class: name } } };
}

function routesOf(linked: Linked): Route[] {
  const { kind, one, many, path, class: name, leastId, shape } = linked;
  const whole = () => z.object({ id: idShape(leastId), ...shape, _links: z.object({ self: linkShape(name) }) });
  const reads = (site: string) => [keys.reference(site, kind)];
  const words = path.split('/').at(-1)?.replace('_', ' ') ?? '';
  return [
    route({
      name: `list${many}`,
      summary: `List ${words} by id`,
      method: 'GET',
      path,
      roles: R_READ,
      list: true,
      extension: true,
      reads,
      reply: () => pageShape(whole()),
      handle: (call) => {
        const partition = keys.reference(call.context.site.name, kind);
        return listReply(call, {
          path,
          seeds: [call.context.version(partition)],
          members: async () => present(await call.context.open(partition)),
          show: (item: Item) => shown(linked, item),
        });
      },
    }),
    route({
      name: `show${one}`,
      summary: `Show one of the ${words}`,
      method: 'GET',
      path: `${path}/{${kind === 'agent' ? 'user' : kind}_id}`,
      roles: R_READ,
      extension: true,
      reads,
      reply: whole,
      find: async ({ context, params }) => {
        const [id] = Object.values(params);
        return recordIn(await context.open(keys.reference(context.site.name, kind)), idOf(id, leastId));
      },
      handle: ({ resource }) => show(shown(linked, resource)),
    }),
  ];
}

/** The records behind links other than topics, macros, articles and brands; read only. */
export const recordRoutes: readonly Route[] = LINKED.flatMap(routesOf);
