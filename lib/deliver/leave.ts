import { isSiteName } from '../access/sites.ts';
import { Failure, notFound, wrongMethod } from '../errors.ts';
import type { Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import { keys } from '../store/keys.ts';
import { releaseLease, renewLease, takeLease } from '../store/lease.ts';
import type { Table } from '../store/table.ts';
import { DELIVERY, deliveryIn, deliveryLease, leaveKey } from './delivery.ts';
import { commonOf, readMailing } from './mailing.ts';
import { type Recipient, recipientsOf } from './owned.ts';

/** The page on which a recipient leaves. */
export const LEAVE_PATH = '/unsubscribe';

/** The query of a recipient's own link to it. */
export const leaveQuery = (site: string, member: string, key: string): URLSearchParams =>
  new URLSearchParams({ site, from: member.replace('#', '-'), key });

const MEMBER = /^(subscription|alert)-[1-9]\d{0,15}$/;

/** What the page needs. */
interface LeaveTools {
  readonly table: Table;
  readonly clock: () => number; // epoch ms
  readonly newId: () => string;
}

/**
 * Serves the page, without credentials: who has the link got the mail. GET asks, since programs that look at mails open
 * links; POST leaves, as mail clients do it by one click (RFC 8058). Undefined for every other path. Throws `not_found`
 * for a link that no mail had, and `method_not_allowed`.
 */
export function createLeavePage(tools: LeaveTools): (request: Request) => Promise<Reply | undefined> {
  return async ({ method, path, query }) => {
    if (path !== LEAVE_PATH) return undefined;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw wrongMethod(method, path, 'GET, HEAD, POST');
    const [site = '', from = '', key = ''] = ['site', 'from', 'key'].map((name) => query.get(name));
    if (!isSiteName(site) || !MEMBER.test(from)) throw notFound('mail with this link');
    const member = from.replace('-', '#');
    const recipient = await recipientWith(tools.table, site, member, key);
    if (recipient === undefined) throw notFound('mail with this link');
    if (method !== 'POST') return page('Stop these mails?', FORM);
    await leave(tools, site, member, recipient);
    return page('Done', '<p>You get no more of these mails.</p>');
  };
}

/** The recipient whose key this is; undefined if it is nobody's. */
async function recipientWith(table: Table, site: string, member: string, key: string): Promise<Recipient | undefined> {
  const { secret } = deliveryIn(await table.get(keys.delivery(site, member))).kept;
  if (secret === '') return undefined;
  const mailing = await readMailing(table, site, member);
  const all = mailing === undefined ? [] : recipientsOf(commonOf(mailing));
  return all.find(({ login, generation }) => leaveKey(secret, login, generation) === key);
}

/** Notes that a recipient has left. Throws `unavailable` while a mail is being sent, which clients try again. */
async function leave(tools: LeaveTools, site: string, member: string, recipient: Recipient): Promise<void> {
  const lease = deliveryLease(tools, site, member);
  const taken = await takeLease(lease, DELIVERY);
  if ('wait' in taken) throw new Failure('unavailable', { headers: { 'Retry-After': String(taken.wait) } });
  const others = taken.held.kept.ended.filter((one) => one.login !== recipient.login);
  const ended = [...others, { ...recipient, at: tools.clock(), why: 'left' as const }];
  try {
    await renewLease(lease, DELIVERY, lease.length, { ended });
  } finally {
    await releaseLease(lease, DELIVERY);
  }
}

const FORM =
  '<p>You will get no more mails of this kind.</p>\n<form method="post"><button>Stop these mails</button></form>';

function page(title: string, content: string): Reply {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body><main><h1>${title}</h1>
${content}
</main></body></html>
`;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-store',
  };
  return { status: 200, body, headers };
}
