import { notFound } from '../errors.ts';
import { idOf } from '../http/fields.ts';
import type { Call } from '../http/route.ts';
import { CONNECTIONS_PATH, type ConnectionView, readView } from './show.ts';

/** The path of a connection. */
export const CONNECTION = `${CONNECTIONS_PATH}/{connection_id}`;

/** A route's `find`: the connection in the path; throws `not_found`. */
export async function findConnection({ context, params }: Pick<Call, 'context' | 'params'>): Promise<ConnectionView> {
  const id = idOf(params.connection_id);
  const view = await readView(context.table, context.site.name);
  if (view?.connection.id !== id) throw notFound(`connection ${id}`);
  return view;
}
