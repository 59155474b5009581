import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { itAtLength } from '../../support/generators/depth.ts';
import { run, startProgram, withFolder } from '../../support/service/program.ts';

const CONNECTIONS = 999; // beside that of the health check, all that the server takes
const MOST = 200; // MB
const MB = 2 ** 20;

/** Bytes that the process holds for itself. */
const memoryOf = (pid: number): number =>
  1024 * Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Sends all of a body of 1 MiB but its last byte; resolves once it is sent or the server hangs up. */
function sendMost(port: number, authorization: string): Promise<Socket> {
  const head = `POST /api/v2/topics HTTP/1.1\r\nHost: localhost\r\n${authorization}Content-Length: ${MB}\r\n\r\n`;
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(head);
      socket.write(Buffer.alloc(MB - 1, ' '), () => resolve(socket));
    });
    socket.on('error', () => resolve(socket)).resume();
  });
}

const itOnLinux = process.platform === 'linux' ? itAtLength : it.skip; // it alone tells what a process holds

itOnLinux(
  'bodies of as many connections as there can be take no more memory than their budget, whoever sends them',
  async () => {
    await withFolder(async (folder) => {
      const site = ['--site', 'acme', '--login', 'ann@acme.example', '--data-dir', folder];
      await run(['site', 'add', 'acme', '--default', '--data-dir', folder]);
      await run(['user', 'add', '--role', 'Administrator', '--password-stdin', ...site], {
        input: 'a good password\n',
      });
      const { token } = JSON.parse((await run(['token', 'add', '--name', 't', '--json', ...site])).out);
      const service = await startProgram(folder, { LOG_LEVEL: 'error' });
      const port = Number(new URL(service.url).port);
      const ask = async () => (await fetch(`${service.url}/health`)).status;
      expect(await ask()).toBe(200);
      const before = memoryOf(service.pid);
      for (const authorization of ['', `Authorization: Bearer ${token}\r\n`]) {
        const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => sendMost(port, authorization)));
        await sleep(500);
        expect((memoryOf(service.pid) - before) / MB).toBeLessThan(MOST);
        expect(await ask()).toBe(200);
        for (const socket of sockets) socket.destroy();
      }
      expect((await service.end('SIGTERM')).status).toBe(0);
    });
  },
  120_000,
);
