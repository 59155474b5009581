import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { count, credentialsOf, history, type Load, REPORT, type User } from './soak-clients.ts';

const PAUSE = 150; // ms between two troubles of a client, on average
const DAMAGED_EVERY = 5_000; // ms, on average
const LONG_BODY = 100_000; // bytes announced

/** A client that makes trouble: the user whose credentials it has, and an address of its own. */
interface Trouble {
  readonly load: Load;
  readonly user: User;
  readonly address: string; // of this machine, so that its wrong passwords are counted for it alone
}

const within = (most: number): number => Math.floor(Math.random() * most);

/** Opens a connection from the client's address and writes a request as far as it comes; undefined if it is refused. */
async function begin({ load, user, address }: Trouble, target: string, length: number): Promise<Socket | undefined> {
  const { hostname, port } = new URL(load.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: address }).on('error', () => undefined);
  socket.resume();
  const isOpen = await Promise.race([
    once(socket, 'connect').then(
      () => true,
      () => false,
    ),
    sleep(1_000, false),
  ]);
  if (!isOpen) return undefined;
  socket.write(
    `${target} HTTP/1.1\r\nHost: ${user.site}.localhost\r\nAuthorization: ${credentialsOf(user)}\r\nContent-Length: ${length}\r\n\r\n`,
  );
  return socket;
}

/** Sends some of a request, or all of it, and leaves before, during or after the answer. */
async function leave(trouble: Trouble): Promise<void> {
  const report = JSON.stringify(REPORT);
  const requests = [
    ['GET /api/v2/topics', '', LONG_BODY],
    ['POST /api/v2/topics', '{"name":"left"}', LONG_BODY],
    ['POST /api/v2/insights3/reports', report, report.length],
    ['PATCH /api/v2/nowhere', 'x'.repeat(within(LONG_BODY)), LONG_BODY],
  ] as const;
  const [target, body, length] = requests[within(requests.length)] ?? requests[0];
  const socket = await begin(trouble, target, length);
  socket?.write(body);
  await sleep(within(40));
  socket?.destroy();
}

/** Sends a body byte by byte, until it has had enough or is cut off. */
async function sendSlowly(trouble: Trouble): Promise<void> {
  const socket = await begin(trouble, 'POST /api/v2/topics', LONG_BODY);
  for (let n = within(12); n > 0 && socket?.writable === true; n -= 1) {
    socket.write('x');
    await sleep(500);
  }
  if (within(2) === 0) await sleep(6_000); // longer than the silence that the service bears
  socket?.destroy();
}

const FILES: readonly (() => Buffer)[] = [
  () => gzipSync(history(50, 0)).subarray(0, 300), // cut off
  () => Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(2_000)]), // no archive
  () => randomBytes(5_000),
  () => Buffer.from(`Id,Created at\n${'1,2026-10-01\n'.repeat(2_000)}`),
  () => Buffer.from('{"type":"case.created"\n'.repeat(200)),
];

/** Sends files that cannot be imported, whole or not. */
async function sendDamaged(trouble: Trouble): Promise<void> {
  const file = FILES[within(FILES.length)]?.() ?? Buffer.alloc(1);
  const isCut = within(2) === 0;
  const socket = await begin(trouble, 'POST /api/v2/imports?name=broken.csv.gz', file.length + (isCut ? 10 : 0));
  socket?.write(file);
  await sleep(isCut ? within(500) : 3_000);
  socket?.destroy();
  await sleep(2 * within(DAMAGED_EVERY));
}

/** Tries passwords that are wrong. */
async function guess({ load, user, address }: Trouble): Promise<void> {
  const wrong = { ...user, token: undefined, password: `wrong ${within(1_000_000)}` };
  const socket = await begin({ load, user: wrong, address }, 'GET /api/v2/topics', 0);
  if (socket !== undefined) await Promise.race([once(socket, 'data').catch(() => undefined), sleep(2_000)]);
  socket?.destroy();
  await sleep(within(2_000));
}

const TROUBLES = { leave, sendSlowly, sendDamaged, guess } as const;

/** What a client does wrong. */
export const TROUBLE_NAMES = [
  'leave',
  'sendSlowly',
  'sendDamaged',
  'guess',
] as const satisfies (keyof typeof TROUBLES)[];

/** Makes one kind of trouble with the credentials of a user, again and again until the time is up. */
export async function makeTrouble(load: Load, user: User, kind: keyof typeof TROUBLES, address: string): Promise<void> {
  while (Date.now() < load.until) {
    await TROUBLES[kind]({ load, user, address });
    count(load.answers, `troubles: ${kind}`);
    await sleep(2 * PAUSE * Math.random());
  }
}
