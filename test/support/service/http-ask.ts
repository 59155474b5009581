import * as http from 'node:http';
import * as https from 'node:https';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { Incoming, Outgoing } from './edge.ts';

/** Sends a request unchanged, with any `Host`, to a service at `base` (`http://127.0.0.1:4566/dev`). */
export function overHttp(base: string, { method, target, headers, body, host }: Incoming): Promise<Outgoing> {
  const url = new URL(base);
  const { request } = url.protocol === 'https:' ? https : http;
  const ascii = target.replace(/[^\x21-\x7e]/gu, encodeURIComponent); // as clients do; all other characters are sent unchanged
  const path = `${url.pathname.replace(/\/$/, '')}${ascii}`;
  const sent = { ...headers, Host: host, ...(body.length > 0 ? { 'Content-Length': body.length } : {}) };
  return new Promise((resolve, reject) => {
    const place = {
      hostname: url.hostname,
      port: url.port,
      // The certificate is for the name of the server, not for the name in `Host`.
      checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(url.hostname, certificate),
    };
    const outgoing = request({ ...place, method, path, headers: sent }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('error', reject);
      reply.on('end', () => {
        const received = Object.entries(reply.headers).map(([name, value]) => [name, String(value)]);
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: reply.statusCode ?? 0, headers: Object.fromEntries(received), text });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The tests' clock for a service that runs elsewhere with the real clock. */
export interface OverlaidClock {
  /** Waits until the real second differs from all those before `now.at` was last set. */
  settle(): Promise<void>;
  /** Replaces the real times of creations and updates in a text by the tests' times. */
  translate(text: string): string;
}

export function overlayClock(now: { readonly at: number }): OverlaidClock {
  const marks: { readonly from: number; readonly at: number }[] = []; // real second and the tests' epoch ms since then; rising
  const second = () => Math.floor(Date.now() / 1000);

  return {
    async settle() {
      if (marks.at(-1)?.at === now.at) return;
      const begin = (second() + 1) * 1000;
      await new Promise((resolve) => setTimeout(resolve, begin - Date.now() + 1));
      marks.push({ from: second(), at: now.at });
    },
    translate: (text) =>
      text.replace(/("(?:created|updated)_at":")([^"]+)"/g, (whole, name: string, time: string) => {
        const mark = marks.findLast(({ from }) => from <= Date.parse(time) / 1000);
        return mark ? `${name}${new Date(mark.at).toISOString().slice(0, 19)}Z"` : whole;
      }),
  };
}
