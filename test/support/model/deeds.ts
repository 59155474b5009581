import type { Received } from '../service/service.ts';
import type { Exchange } from './site-model.ts';

/** Something that somebody did, as the audit must tell it. */
export interface Deed {
  readonly text: string; // user, action, resource and fields
  readonly isSure: boolean; // a PATCH that changed nothing is not told
}

const ACTIONS: Readonly<Record<string, string>> = { POST: 'create', PATCH: 'update', DELETE: 'delete' };
const PREFIX = '/api/v2/';

/** The deed of a request that was answered so; undefined for one that changed nothing. */
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

/** An entry of the audit as a deed's text. */
export const textOf = ({ user, action, resource, fields }: Entry): string =>
  `${user} ${action} ${resource} ${[...fields].sort().join(',')}`;

/** What the audit lacks of the deeds, and what it has too much. */
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
