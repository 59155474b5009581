import { hash } from 'node:crypto';
import * as z from 'zod';
import { AUDIT_ACTIONS, AUDIT_WAYS, type AuditEntry, readAudit } from '../access/audit.ts';
import { CREDENTIALS } from '../access/principal.ts';
import { R_SETTINGS } from '../access/roles.ts';
import type { Faults } from '../errors.ts';
import { nameField } from '../http/fields.ts';
import { hrefOf, readCursor, writeCursor } from '../http/page.ts';
import { show } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { linkShape, timestampShape } from '../http/shapes.ts';
import { timestamp } from '../text.ts';

const AUDIT_PATH = '/api/v2/audit';
const USUAL_PAGE = 50;
const LARGEST_PAGE = 1000;
const LONGEST_RESOURCE = 1400; // code points

const timeField = () => z.iso.datetime({ offset: true, error: 'invalid' });
const query = {
  user: nameField(),
  resource: nameField(LONGEST_RESOURCE).meta({ description: '`topics/5` with the resources below it, or `topics`' }),
  min: timeField().meta({ description: 'From this time on' }),
  max: timeField().meta({ description: 'Before this time' }),
  per_page: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'invalid')
    .transform((text) => Math.min(Number(text), LARGEST_PAGE))
    .meta({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: USUAL_PAGE }),
  cursor: nameField(LONGEST_RESOURCE).meta({ description: 'From `next` of the previous page' }),
};

const entryShape = () =>
  z.object({
    id: z.string(),
    at: timestampShape(),
    user: z.string().nullable().meta({ description: 'Login; null if not done by a user of the site' }),
    via: z.enum(AUDIT_WAYS),
    credential: z.enum(CREDENTIALS).nullable().meta({ description: 'What the user signed in with; null if not known' }),
    token: z.int().nullable().meta({ description: 'Id of that token or session' }),
    action: z.enum(AUDIT_ACTIONS),
    resource: z.string(),
    fields: z.array(z.string()).meta({ description: 'Names of the fields that were set, never their values' }),
    count: z.int().nullable().meta({ description: 'How many things changed, if one entry stands for several' }),
  });

const auditShape = () =>
  z.object({
    _links: z.object({ self: linkShape('page'), next: linkShape('page').nullable() }),
    _embedded: z.object({ entries: z.array(entryShape()) }),
  });

const showEntry = ({ at, count, credential, token, ...entry }: AuditEntry) => ({
  ...entry,
  at: timestamp(at),
  credential: credential ?? null,
  token: token ?? null,
  count: count ?? null,
});

type Asked = { readonly [K in 'user' | 'resource' | 'min' | 'max']?: string | undefined };

const cursorShape = z.object({ of: z.string(), last: z.string() });

/** A hash of the site and the question that a cursor belongs to. */
const digestOf = (site: string, { user, resource, min, max }: Asked): string =>
  hash('sha256', JSON.stringify([site, user, resource, min, max]), 'hex').slice(0, 32);

/** The sort key at which the previous page ended. A cursor of another site or question is a fault. */
function positionOf(cursor: string | undefined, digest: string, faults: Faults): string | undefined {
  if (cursor === undefined) return undefined;
  const place = readCursor(cursorShape, cursor);
  if (place?.of === digest) return place.last;
  faults.explain('invalid', ['cursor'], { message: 'The cursor does not belong to this question.' });
  return undefined;
}

/** Who changed what and when. */
export const auditRoutes: readonly Route[] = [
  route({
    name: 'listAudit',
    summary: 'List who changed what, the latest first',
    method: 'GET',
    path: AUDIT_PATH,
    roles: R_SETTINGS,
    extension: true,
    reads: () => [],
    query,
    reply: auditShape,
    handle: async ({ context, query: asked, parameters, faults }) => {
      const { site, table } = context;
      const { per_page = USUAL_PAGE, cursor, ...question } = asked;
      const of = digestOf(site.name, question);
      const before = positionOf(cursor, of, faults);
      faults.check();
      const { entries, last } = await readAudit(table, site.name, { ...question, before, limit: per_page });
      const next = last && writeCursor({ of, last });
      return show({
        _links: { self: linkTo(parameters), next: next === undefined ? null : linkTo(parameters, next) },
        _embedded: { entries: entries.map(showEntry) },
      });
    },
  }),
];

function linkTo(parameters: ReadonlyMap<string, string>, cursor?: string) {
  const asked = cursor === undefined ? parameters : new Map(parameters).set('cursor', cursor);
  return { href: hrefOf(AUDIT_PATH, asked), class: 'page' as const };
}
