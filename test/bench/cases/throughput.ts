import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { promisify } from 'node:util';
import { listen } from '../../../infra/local/server/server.ts';
import { inTurns, print } from '../figures.ts';
import { AUTHORIZATION, HOST, startBenchService } from '../service.ts';

/** Requests a second of a topic and of a list, against a bare Node server that sends the same bytes. */
export async function bench(): Promise<string> {
  const service = await startBenchService();
  const ours = await listen({ handler: service.handler, log: () => undefined, newId: randomUUID }, 0, '127.0.0.1');
  const peers: Server[] = [];
  try {
    for (let n = 0; n < 60; n += 1) await service.ask('POST', '/api/v2/topics', { name: `Topic ${n}` });
    const ratios: string[] = [];
    for (const target of ['/api/v2/topics/1', '/api/v2/topics']) {
      const { body } = await service.ask('GET', target);
      const peer = createServer((_, response) => {
        response.setHeader('Content-Type', 'application/json; charset=utf-8');
        response.end(body);
      });
      peers.push(peer);
      const port = await new Promise<number>((resolve) =>
        peer.listen(0, '127.0.0.1', () => resolve(Object(peer.address()).port)),
      );
      const { a, b, ratio } = await inTurns(
        3,
        () => rate(ours.port, target),
        () => rate(port, target),
      );
      print(`GET ${target}: service ${a.toFixed(0)}/s, bare server ${b.toFixed(0)}/s, ratio ${ratio.toFixed(3)}`);
      ratios.push(`${ratio.toFixed(3)}x on ${target}`);
    }
    return `${ratios.join(', ')} of a bare server that reads nothing`;
  } finally {
    for (const peer of peers) peer.close();
    await ours.close();
    await service.end();
  }
}

const run = promisify(execFile);

/** Requests a second that a load generator in a process of its own gets answered. */
async function rate(port: number, target: string): Promise<number> {
  const headers = [`authorization=${AUTHORIZATION}`, `host=${HOST}`].flatMap((header) => ['-H', header]);
  const url = `http://127.0.0.1:${port}${target}`;
  const { stdout } = await run('node_modules/.bin/autocannon', ['--json', '-c', '20', '-d', '3', ...headers, url]);
  const { requests, non2xx } = JSON.parse(stdout);
  if (non2xx > 0) throw new Error(`${non2xx} replies of ${target} were no success`);
  return requests.average;
}
