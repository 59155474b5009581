import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/**
 * Whether `Accept` asks for CSV rather than JSON (RFC 9110, 12.5.1). It must name `text/csv`; if it also names JSON,
 * CSV needs the larger weight.
 */
export function prefersCsv(header: string | undefined): boolean {
  const weights = weightsOf(header ?? '');
  const csv = weights.get('text/csv') ?? 0;
  const wildcard = weights.get('application/*') ?? weights.get('*/*') ?? 0;
  const json = weights.get('application/json');
  return csv > 0 && (json === undefined ? csv >= wildcard : csv > json);
}

/** The media types of an `Accept` header with their weights, from 0 to 1. */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(type, weight === undefined ? 1 : Number(weight) || 0);
  }
  return weights;
}

/** Whether a person's browser asks for a page: by GET or HEAD, and accepting HTML. */
export const asksForPage = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(headers.accept ?? '');

/** Redirects a browser to the console, from a path that does not exist. */
export const redirectToConsole = ({ origin }: Request): Reply => ({
  status: 303,
  headers: { Location: `${origin}/console`, 'Cache-Control': 'no-cache', Vary: 'Accept, Accept-Encoding' },
});
