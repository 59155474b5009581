import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type EngineConnections, engineConnections } from '../../../../infra/local/table/engine-connections.ts';

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

/** A server that hands each request to `answer` with its connection, and connections to it. */
async function serving(answer: (socket: Socket, request: string) => void, { most = 4, within = 5_000 } = {}) {
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer((socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      const [head = '', body] = text.split('\r\n\r\n');
      if (body?.length !== Number(/content-length: (\d+)/i.exec(head)?.[1])) return;
      text = '';
      answer(socket, body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connections = engineConnections({ host: '127.0.0.1', port, most, within });
  ended.push(
    connections.close,
    () => server.close(),
    () => {
      for (const socket of sockets) socket.destroy();
    },
  );
  return { connections, sockets, opened: () => opened };
}

const reply = (text: string, head = ''): string =>
  `HTTP/1.1 200 OK\r\n${head}content-length: ${text.length}\r\n\r\n${text}`;

async function ask(connections: EngineConnections, text: string): Promise<string> {
  let said = '';
  const into = { take: (piece: Buffer) => void (said += piece.toString()) };
  const status = await connections.post({ 'X-Any': 'head' }, Buffer.from(text), into);
  return `${status} ${said}`;
}

describe('connections to the engine', () => {
  it('are used again, one request after the other', async () => {
    const { connections, opened } = await serving((socket, text) => socket.write(reply(text.repeat(100_000))));
    for (const text of ['a', 'b', 'c']) expect(await ask(connections, text)).toBe(`200 ${text.repeat(100_000)}`);
    expect(opened()).toBe(1);
  });

  it('are no more than may be, and further requests wait for one, also for one that breaks', async () => {
    let [busy, busiest] = [0, 0];
    const { connections, opened } = await serving(
      async (socket, text) => {
        busiest = Math.max(busiest, (busy += 1));
        await sleep(20);
        busy -= 1;
        if (text === '1') socket.destroy();
        else socket.write(reply(text));
      },
      { most: 2 },
    );
    const answers = await Promise.allSettled(['0', '1', '2', '3', '4', '5'].map((text) => ask(connections, text)));
    const said = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.code));
    expect(said).toEqual(['200 0', 'ECONNRESET', '200 2', '200 3', '200 4', '200 5']);
    expect([busiest, opened()]).toEqual([2, 3]);
  });

  it('are opened anew where the engine closed them, or said that it would', async () => {
    const { connections, sockets, opened } = await serving((socket, text) => {
      if (text === 'last') socket.write(reply(text, 'connection: close\r\n'));
      else socket.write(reply(text));
    });
    expect(await ask(connections, 'one')).toBe('200 one');
    for (const socket of sockets) socket.end();
    await sleep(50);
    expect(await ask(connections, 'last')).toBe('200 last');
    expect(await ask(connections, 'three')).toBe('200 three');
    expect(opened()).toBe(3);
  });

  it('break with an answer that does, and are not used again', async () => {
    const { connections, opened } = await serving((socket, text) => {
      if (text === 'cut') socket.end(reply('0123456789').slice(0, -5));
      else socket.write(text === 'odd' ? 'odd\r\n\r\n' : reply(text));
    });
    await expect(ask(connections, 'cut')).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(ask(connections, 'odd')).rejects.toMatchObject({ name: 'NetworkingError' });
    expect(await ask(connections, 'whole')).toBe('200 whole');
    expect(opened()).toBe(3);
  });

  it('give a request up that is not answered in time', async () => {
    const { connections } = await serving(() => undefined, { within: 50 });
    await expect(ask(connections, 'any')).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
