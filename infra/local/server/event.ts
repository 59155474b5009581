import type { IncomingMessage } from 'node:http';
import { addTo } from '../../../lib/group-by.ts';
import type { GatewayEvent } from '../../../lib/http/request.ts';
import { isLoopback } from '../../loopback.ts';

/**
 * The event that API Gateway would make of a request (payload 1.0), with the fields that the handlers read except the
 * body.
 */
export function toEvent(request: IncomingMessage, requestId: string): GatewayEvent {
  const { path, search, authority } = splitTarget(request.url ?? '/');
  const host = authority ?? request.headers.host ?? 'localhost';
  return {
    httpMethod: request.method ?? 'GET',
    path,
    headers: singleHeaders(request),
    multiValueQueryStringParameters: queryOf(search),
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId, domainName: host, path, identity: { sourceIp: addressOf(request) } },
  };
}

interface Target {
  readonly path: string; // still percent-encoded
  readonly search: string;
  readonly authority: string | undefined; // host of the absolute form, which overrides `Host` (RFC 9112, 3.2.2)
}

function splitTarget(target: string): Target {
  const [, authority, rest = target] = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(target) ?? [];
  const [, path = '/', search = ''] = /^([^?#]*)\??([^#]*)/.exec(rest) ?? [];
  return { path: path || '/', search, authority: authority || undefined };
}

function queryOf(search: string): Record<string, string[]> | null {
  if (search === '') return null;
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(search)) addTo(query, name, value);
  return Object.fromEntries(query);
}

const FORWARDED: readonly string[] = ['x-forwarded-proto', 'x-forwarded-for'];

/** The headers, one value each. Forwarding headers count only if a proxy on this machine sent them. */
function singleHeaders(request: IncomingMessage): Record<string, string> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || (FORWARDED.includes(name) && !comesFromHere(request))) continue;
    single[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return single;
}

const comesFromHere = ({ socket }: IncomingMessage): boolean => isLoopback(peerOf(socket.remoteAddress));

/** The client's address: the peer, or the last address in the header of a proxy on this machine. */
function addressOf(request: IncomingMessage): string {
  const forwarded = request.headers['x-forwarded-for'];
  const last = String(forwarded ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  return last && comesFromHere(request) ? last : peerOf(request.socket.remoteAddress);
}

/** Unwraps an IPv4 address on an IPv6 socket. */
const peerOf = (address = ''): string => address.replace(/^::ffff:/, '');
