import { type AuditEntry, auditItem } from '../access/audit.ts';
import type { Answer, Context } from '../context.ts';
import type { Change } from '../store/collection.ts';
import type { Write } from '../store/table.ts';
import { type Repeat, repeatWrite } from './repeats.ts';
import type { Route } from './route.ts';

/** A request that may write. */
export interface Writer {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly id: string; // unique id of its writes, equal in all attempts
  readonly fieldNames: () => readonly string[]; // names of the fields that the body sets
  readonly digest: () => string; // hash that tells it from other requests with its `Idempotency-Key`
  readonly repeat?: Repeat | undefined;
}

const actionOf = ({ method, success }: Route): AuditEntry['action'] => {
  if (method === 'DELETE') return 'delete';
  return method === 'POST' && success === 201 ? 'create' : 'update';
};
const PREFIX = '/api/v2/';

/** A context without its ways to write. */
export type Unwritten = Omit<Context, 'commit' | 'beside'>;

/**
 * How a request writes: its changes, the audit's entry and, if it has a key, the kept answer, all in one transaction.
 */
export function writing(writer: Writer, context: Unwritten): Pick<Context, 'commit' | 'beside'> {
  const { collections, table, site, now } = context;
  const { repeat, digest } = writer;
  const proofOf = (answer?: Answer) => auditItem(site.name, entryOf(writer, context, answer));
  const keptOf = (answer?: Answer) => (repeat && answer ? [repeatWrite(repeat.key, digest(), answer, now)] : []);
  return {
    commit: async (changes: readonly Change[], answer?: Answer, others: readonly Write[] = []) => {
      const writes = [...others, ...keptOf(answer)];
      await collections.commit(table, changes, { proof: proofOf(answer), writes });
    },
    beside: (answer) => [{ put: proofOf(answer) }, ...keptOf(answer)],
  };
}

function entryOf(
  { route, params, id, fieldNames }: Writer,
  { user, now, origin }: Unwritten,
  answer: Answer | undefined,
): AuditEntry {
  const made = answer?.headers?.Location?.slice(origin.length);
  const resource = (made ?? pathOf(route, params)).slice(PREFIX.length);
  const fields = route.method === 'DELETE' ? [] : fieldNames();
  return { id, at: now, user: user.login, via: 'api', action: actionOf(route), resource, fields };
}

/** A route's path with the request's parameters filled in. */
export const pathOf = ({ path }: Pick<Route, 'path'>, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
