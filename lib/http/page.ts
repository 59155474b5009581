import type { Faults } from '../errors.ts';
import { putLast } from '../put-last.ts';
import { byCodePoint } from '../text.ts';
import { ifNoneMatch } from './conditional.ts';
import { bytesInResult, etagOf, REPLY_LIMIT, type Reply } from './reply.ts';
import type { Call } from './route.ts';

const DEFAULT_SIZE = 50;
const LARGEST_SIZE = 1000; // clamped, not refused (docs/interface.md)

export interface Page {
  readonly page: number; // from 1
  readonly perPage: number; // 1…1000
}

export interface Link {
  readonly href: string;
  readonly class: string;
}

/** Reads `page` and `per_page`; adds a fault if one is not a positive integer. */
export function parsePage(parameters: ReadonlyMap<string, string>, faults: Faults): Page {
  const read = (name: string, fallback: number): number => {
    const text = parameters.get(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value;
    faults.add('invalid', name);
    return fallback;
  };
  return { page: read('page', 1), perPage: Math.min(read('per_page', DEFAULT_SIZE), LARGEST_SIZE) };
}

/** The envelope of a page. `entries` are this page's; `total` counts those of all pages. */
export function envelope(
  path: string,
  parameters: ReadonlyMap<string, string>,
  { page, perPage }: Page,
  { total, entries }: { readonly total: number; readonly entries: readonly unknown[] },
): Record<string, unknown> {
  const last = Math.max(1, Math.ceil(total / perPage));
  const link = (number: number): Link => ({ href: pageHref(path, parameters, number, perPage), class: 'page' });
  return {
    total_entries: total,
    page,
    _links: {
      self: link(page),
      first: link(1),
      last: link(last),
      previous: page === 1 ? null : link(Math.min(page - 1, last)),
      next: page < last ? link(page + 1) : null,
    },
    _embedded: { entries },
  };
}

function pageHref(path: string, parameters: ReadonlyMap<string, string>, page: number, perPage: number): string {
  return hrefOf(path, new Map(parameters).set('page', String(page)).set('per_page', String(perPage)));
}

/** A path with its query parameters, sorted by name. */
export function hrefOf(path: string, parameters: ReadonlyMap<string, string>): string {
  const pairs = [...parameters].sort(([a], [b]) => byCodePoint(a, b));
  const query = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  return query === '' ? path : `${path}?${query}`;
}

/** Percent-encodes all but unreserved characters (RFC 3986). */
const encode = (text: string): string =>
  encodeURIComponent(Buffer.from(text).toString()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export interface Listing<M> {
  readonly path: string; // of the list itself
  readonly seeds: readonly unknown[]; // what the list depends on besides site, path and query
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the members of all pages in order; called only if neither the client nor this process has the page. */
  readonly members: () => readonly M[] | Promise<readonly M[]>;
  /** Returns the entry of a member of this page. */
  readonly show: (member: M) => unknown; // may be a promise
}

/**
 * Answers a list route: checks the faults, computes the ETag from `seeds` before reading anything, answers 304 if the
 * client has it, else the page.
 */
export async function listReply<M>(
  call: Call,
  { path, seeds, headers = {}, members, show }: Listing<M>,
): Promise<Reply> {
  const { context, parameters, faults } = call;
  const page = parsePage(parameters, faults);
  faults.check();
  const ETag = etagOf(
    JSON.stringify([context.site.name, context.site.added, path, seeds, page, [...parameters].sort()]),
  );
  if (ifNoneMatch(call.headers['if-none-match'], ETag)) return { status: 304, headers: { ETag, ...headers } };
  const body = await context.shared(createPages)(ETag, async () => {
    const all = await members();
    return fittingPage(page, async (shown) => {
      const from = (shown.page - 1) * shown.perPage;
      const some = all.slice(from, from + shown.perPage);
      const entries = await Promise.all(some.map((member) => show(member)));
      return JSON.stringify(envelope(path, parameters, shown, { total: all.length, entries }));
    });
  });
  return { status: 200, body, headers: { ETag, ...headers } };
}

const REMEMBERED = 200; // pages
const LARGEST_REMEMBERED = 50_000; // characters of one

/** A process's last pages by ETag: an equal tag means an equal page. */
function createPages() {
  const known = new Map<string, string>();
  return async (tag: string, write: () => Promise<string>): Promise<string> => {
    const body = known.get(tag) ?? (await write());
    if (body.length <= LARGEST_REMEMBERED) putLast(known, tag, body, REMEMBERED);
    return body;
  };
}

/** A page with as many entries as fit in a reply; its links use that number as `per_page`. */
async function fittingPage(asked: Page, write: (page: Page) => Promise<string>): Promise<string> {
  let page = asked;
  for (;;) {
    const body = await write(page);
    const size = bytesInResult(body);
    if (size <= REPLY_LIMIT || page.perPage === 1) return body;
    page = { ...page, perPage: Math.max(1, Math.floor((page.perPage * REPLY_LIMIT * 0.9) / size)) };
  }
}
