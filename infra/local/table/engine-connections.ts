import { connect } from 'node:net';
import { createHttpAnswer } from './http-answer.ts';

/** Takes the body of an answer piece by piece as it comes; each piece lies where the next will. */
export interface BodyReader {
  take(piece: Buffer): void;
}

/** Connections to the engine, kept for further requests. */
export interface EngineConnections {
  /** Posts a body and gives the status of the answer once `into` has all of it; rejects where none comes. */
  post(headers: Readonly<Record<string, string>>, body: Buffer, into: BodyReader): Promise<number>;
  close(): void;
}

export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly most: number; // connections at a time: further requests wait for one
  readonly within: number; // ms without a sign from the engine, after which a request is given up
}

const ROOM = 2 ** 16; // bytes read at once

/**
 * Speaks as much HTTP/1.1 as the engine does. All that a connection reads lands in one place: Node's client takes new
 * memory for each piece and again for its body, and to touch that for the first time is a third of reading segments.
 */
export function engineConnections(options: ConnectionOptions): EngineConnections {
  const open = new Set<Connection>();
  const idle: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];

  function openAnother(): Connection {
    const connection = openConnection(options, () => {
      open.delete(connection);
      if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1);
      waiting.shift()?.(openAnother());
    });
    open.add(connection);
    return connection;
  }

  async function take(): Promise<Connection> {
    if (open.size < options.most || idle.length > 0) return idle.pop() ?? openAnother();
    return new Promise((resolve) => waiting.push(resolve));
  }

  function giveBack(connection: Connection): void {
    if (!connection.isUsable()) return;
    const next = waiting.shift();
    if (next) next(connection);
    else idle.push(connection);
  }

  return {
    async post(headers, body, into) {
      const connection = await take();
      try {
        return await connection.exchange(headOf(options, headers, body), body, into);
      } finally {
        giveBack(connection);
      }
    },
    close: () => {
      for (const connection of open) connection.close();
    },
  };
}

function headOf({ host, port }: ConnectionOptions, headers: Readonly<Record<string, string>>, body: Buffer): string {
  const all = Object.entries({ Host: `${host}:${port}`, ...headers, 'Content-Length': body.length });
  return `POST / HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** A connection, for one request at a time. */
interface Connection {
  exchange(head: string, body: Buffer, into: BodyReader): Promise<number>;
  isUsable(): boolean;
  close(): void;
}

function openConnection({ host, port, within }: ConnectionOptions, onClose: () => void): Connection {
  let take = (_: Buffer): void => void socket.destroy(); // nothing was asked
  let fail = (_: Error): void => undefined;
  const socket = connect({
    host,
    port,
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafeSlow(ROOM),
      callback: (length, buffer) => {
        take(Buffer.from(buffer.buffer, buffer.byteOffset, length));
        return true;
      },
    },
  });
  socket.on('error', (error) => fail(error));
  socket.on('timeout', () => socket.destroy(Object.assign(new Error('no answer'), { name: 'TimeoutError' })));
  socket.on('close', () => {
    fail(Object.assign(new Error('the engine hung up'), { code: 'ECONNRESET' }));
    onClose();
  });

  async function exchange(head: string, body: Buffer, into: BodyReader): Promise<number> {
    const answer = createHttpAnswer(into.take);
    const all = new Promise<void>((resolve, reject) => {
      fail = reject;
      take = (piece) => {
        try {
          if (answer.take(piece)) resolve();
        } catch (error) {
          socket.destroy(error as Error);
        }
      };
    });
    socket.ref().setTimeout(within);
    socket.cork();
    socket.write(head, 'latin1');
    socket.write(body);
    socket.uncork();
    await all;
    socket.unref().setTimeout(0);
    if (answer.isLast()) socket.destroy();
    return answer.status();
  }

  return { exchange, isUsable: () => !socket.destroyed, close: () => void socket.destroy() };
}
