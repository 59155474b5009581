import type * as z from 'zod';
import type { Faults } from '../errors.ts';
import { putLast } from '../put-last.ts';
import { mapInSpells } from '../spell.ts';
import { byCodePoint, percentEncoded } from '../text.ts';
import { bytesInResult, etagOf, ifNoneMatch, REPLY_LIMIT, type Reply } from './reply.ts';
import type { Call } from './route.ts';
import { A_COUNT } from './takes.ts';

const DEFAULT_SIZE = 50;
const LARGEST_SIZE = 1000; // clamped, not refused (docs/interface.md)
const FULL = REPLY_LIMIT * 0.9; // bytes of entries, which leave room for the rest of a page

interface Page {
  readonly page: number; // from 1
  readonly perPage: number; // 1…1000
}

interface Link {
  readonly href: string;
  readonly class: string;
}

/** Reads `page` and `per_page`; adds a fault if one is not a positive integer. */
function parsePage(parameters: ReadonlyMap<string, string>, faults: Faults): Page {
  const read = (name: string, fallback: number): number => {
    const text = parameters.get(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value;
    faults.explain('invalid', [name], { sent: text, takes: A_COUNT });
    return fallback;
  };
  return { page: read('page', 1), perPage: Math.min(read('per_page', DEFAULT_SIZE), LARGEST_SIZE) };
}

/** The envelope of a page. `entries` are this page's; `total` counts those of all pages. */
function envelope(
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
  const query = pairs.map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`).join('&');
  return query === '' ? path : `${path}?${query}`;
}

export interface Listing<M> {
  readonly path: string; // of the list itself
  /** What the list depends on besides site, path and query. */
  readonly seeds: readonly unknown[] | (() => Promise<readonly unknown[]>);
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the members of all pages in order; called only if neither the client nor this process has the page. */
  readonly members: () => readonly M[] | Promise<readonly M[]>;
  /** Returns the entry of a member of this page. */
  readonly show?: (member: M) => unknown; // may be a promise
  /** Instead of `show`: returns the entries of some members together. */
  readonly showAll?: (some: readonly M[]) => Promise<readonly unknown[]>;
}

/**
 * Answers a list route: checks the faults, computes the ETag from `seeds` before reading anything, answers 304 if the
 * client has it, else the page.
 */
export async function listReply<M>(
  call: Call,
  { path, seeds, headers = {}, members, show, showAll }: Listing<M>,
): Promise<Reply> {
  const { context, parameters, faults } = call;
  const page = parsePage(parameters, faults);
  faults.check();
  const { name, added } = context.site;
  const depends = typeof seeds === 'function' ? await seeds() : seeds;
  const ETag = etagOf(JSON.stringify([name, added, path, depends, page, [...parameters].sort()]));
  if (ifNoneMatch(call.headers['if-none-match'], ETag)) return { status: 304, headers: { ETag, ...headers } };
  const body = await context.shared(createPages)(ETag, async () => {
    const all = await members();
    const write = showAll ?? ((some) => Promise.all(some.map((member) => show?.(member))));
    return fittingPage(page, async (shown) => {
      const from = (shown.page - 1) * shown.perPage;
      const entries = await fittingEntries(all.slice(from, from + shown.perPage), write);
      if (typeof entries === 'number') return entries;
      const empty = JSON.stringify(envelope(path, parameters, shown, { total: all.length, entries: [] }));
      return `${empty.slice(0, -END.length)}${entries.join(',')}${END}`;
    });
  });
  return { status: 200, body, headers: { ETag, ...headers } };
}

const REMEMBERED = 200; // pages
const LARGEST_REMEMBERED = 50_000; // characters of one

/** A process's last pages by ETag: an equal tag means an equal page. */
function createPages() {
  const pages = new Map<string, string>();
  return async (tag: string, write: () => Promise<string>): Promise<string> => {
    const body = pages.get(tag) ?? (await write());
    if (body.length <= LARGEST_REMEMBERED) putLast(pages, tag, body, REMEMBERED);
    return body;
  };
}

const END = ']}}'; // of an envelope without entries
const AT_ONCE = 50; // entries made before their size is looked at

/** The entries of members as JSON; how many of them fit a reply, if not all do. Others have turns meanwhile. */
async function fittingEntries<M>(
  some: readonly M[],
  write: (some: readonly M[]) => Promise<readonly unknown[]>,
): Promise<readonly string[] | number> {
  const entries: string[] = [];
  let size = 0;
  for (let at = 0; at < some.length; at += AT_ONCE) {
    const part = await write(some.slice(at, at + AT_ONCE));
    const texts = await mapInSpells(part, (entry) => {
      const text = JSON.stringify(entry);
      return { text, bytes: bytesInResult(text) };
    });
    for (const { text, bytes } of texts) {
      size += bytes;
      if (size > FULL && entries.length > 0) return entries.length;
      entries.push(text);
    }
  }
  return entries;
}

const SMALLER_SIZES = [500, 250, 100, 50, 25, 10, 5, 1];

/**
 * A page with as many entries as fit in a reply; its links use that number as `per_page`. It begins where the asked one
 * does, at a whole number of smaller pages, so that who follows `next` meets each entry once.
 */
async function fittingPage(asked: Page, write: (page: Page) => Promise<string | number>): Promise<string> {
  const from = (asked.page - 1) * asked.perPage;
  let page = asked;
  for (;;) {
    const body = await write(page);
    if (typeof body === 'string') return body;
    const perPage = SMALLER_SIZES.find((size) => size <= body && from % size === 0) ?? 1;
    page = { page: from / perPage + 1, perPage };
  }
}

/** Encodes the position after a page, for clients to send back. */
export const writeCursor = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString('base64url');

/** Decodes a cursor; undefined if the text does not hold this shape. */
export function readCursor<T>(shape: z.ZodType<T>, text: string): T | undefined {
  try {
    return shape.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    return undefined;
  }
}
