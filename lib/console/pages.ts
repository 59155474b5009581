import { asSent, notFound, wrongMethod } from '../errors.ts';
import { etagOf, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import { type Built, CONSOLE_PREFIX, UPLOADS } from './built.ts';

/**
 * The Content-Security-Policy of pages: only our own files, our own API and file uploads; nothing inline, no frames.
 */
const policy = (fileOrigin: string | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${fileOrigin === undefined ? '' : ` ${fileOrigin}`}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const FILES = '/console/files/';

/** The page that a link to a board opens; the key stands in the fragment, which no server gets. */
const SHARED_PAGE = '/console/shared';

const unindexed = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'X-Robots-Tag': 'noindex, nofollow', 'Referrer-Policy': 'no-referrer' },
});

/**
 * Serves the console, `/console` and all paths below it, and the API reference, `/docs`; undefined for every other
 * path. `fileOrigin` is the origin that files are uploaded to, if it is not the service itself. Throws `not_found` for
 * a file that is not part of the build, and `method_not_allowed` for methods other than GET and HEAD.
 */
export function createPages(
  load: () => Promise<Built>,
  fileOrigin?: string,
): (request: Request) => Promise<Reply | undefined> {
  return async ({ method, path, origin }) => {
    if (!isPage(path)) return undefined;
    if (method !== 'GET' && method !== 'HEAD') throw wrongMethod(method, path, 'GET, HEAD');
    const built = await load();
    if (path.startsWith(FILES)) return file(built, path.slice(FILES.length));
    const prefix = prefixOf(origin);
    if (path === SHARED_PAGE) return unindexed(page(built.shared, prefix, undefined));
    return page(path.startsWith('/docs') ? built.docs : built.page, prefix, fileOrigin);
  };
}

const isPage = (path: string): boolean =>
  ['/console', '/docs'].some((root) => path === root || path.startsWith(`${root}/`));

function page(html: string, prefix: string, fileOrigin: string | undefined): Reply {
  const body = html.replaceAll(CONSOLE_PREFIX, prefix).replaceAll(UPLOADS, fileOrigin === undefined ? 'body' : 'form');
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy(fileOrigin),
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-cache',
    ETag: etagOf(body),
  };
  return { status: 200, body, headers };
}

function file({ files }: Built, name: string): Reply {
  const builtFile = Object.hasOwn(files, name) ? files[name] : undefined;
  if (builtFile === undefined) throw notFound(`file ${asSent(name)}`);
  const headers = {
    'Content-Type': builtFile.type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: etagOf(builtFile.body),
  };
  return { status: 200, body: builtFile.body, headers };
}

/** The path of an origin: the stage of API Gateway, or an empty text. */
const prefixOf = (origin: string): string => new URL(origin).pathname.replace(/\/$/, '');
