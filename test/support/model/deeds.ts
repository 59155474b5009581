import type { Received } from '../service/service.ts';
import type { Exchange } from './site-model.ts';

/** A change by a user that the audit must have. */
export interface Deed {
  readonly text: string; // user, action, resource and fields
  readonly isSure: boolean; // false for a PATCH: the audit does not have those that changed nothing
}

const ACTIONS: Readonly<Record<string, string>> = { POST: 'create', PATCH: 'update', DELETE: 'delete' };
const PREFIX = '/api/v2/';

/** The deed of a request and its reply; undefined for one that cannot have changed anything. */
export function deedOf({ method, target, body }: Exchange, user: string, reply: Received): Deed | undefined {
  const action = ACTIONS[method];
  if (action === undefined || reply.status >= 300) return undefined;
  const location = reply.headers.location;
  const path = location === undefined ? target : location.slice(location.indexOf(PREFIX));
  const fields = method === 'DELETE' ? [] : Object.keys(body ?? {});
  const text = textOf({ user, action, resource: decodeURIComponent(path.slice(PREFIX.length)), fields });
  return { text, isSure: method !== 'PATCH' };
}

interface Entry {
  readonly user: string;
  readonly action: string;
  readonly resource: string;
  readonly fields: readonly string[];
}

/** The text of a deed for an entry of the audit. */
const textOf = ({ user, action, resource, fields }: Entry): string =>
  `${user} ${action} ${resource} ${[...fields].sort().join(',')}`;

/** The deeds that the audit lacks, and the entries of the audit without a deed. */
export function differences(deeds: readonly Deed[], entries: readonly Entry[]) {
  const left = [...deeds];
  const tooMuch: string[] = [];
  for (const entry of entries) {
    const text = textOf(entry);
    const place = left.findIndex((deed) => deed.text === text);
    if (place < 0) tooMuch.push(text);
    else left.splice(place, 1);
  }
  return { lacks: left.filter(({ isSure }) => isSure).map(({ text }) => text), tooMuch };
}
