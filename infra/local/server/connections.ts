import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The open connections of a server. */
export interface Connections {
  /** Notes that a request of the connection is being answered; returns a function that notes its end. */
  begin(socket: Socket): () => void;
  /** The requests being answered now. */
  busy(): number;
}

/** A connection's place in the list, from its start to its end. */
interface OpenConnection {
  readonly address: string;
  requests: number; // being answered
}

/**
 * Keeps a server to `most` connections. One more takes the place of the oldest idle one, of the address that has the
 * most of them. If none is idle, it takes the place of the oldest one of an address with more connections than its
 * own; if there is none either, it is closed. So no client shuts others out, whatever it keeps open.
 */
export function limitConnections(server: Server, most: number): Connections {
  const open = new Map<Socket, OpenConnection>(); // oldest first
  let busy = 0;

  /** The connection that gives way to a new one of this address; undefined if none has to. */
  function givingWay(address: string): Socket | undefined {
    const places = [...open];
    const idle = places.filter(([, { requests }]) => requests === 0);
    const [socket, place] = oldestOfMost(idle) ?? oldestOfMost(places) ?? [];
    return place?.requests === 0 || place?.address !== address ? socket : undefined;
  }

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (open.size >= most) {
      const other = givingWay(address);
      if (other === undefined) return void socket.destroy();
      open.delete(other);
      other.destroy();
    }
    open.set(socket, { address, requests: 0 });
    socket.once('close', () => open.delete(socket));
  });

  return {
    begin(socket) {
      const place = open.get(socket) ?? { address: '', requests: 0 };
      place.requests += 1;
      busy += 1;
      return () => {
        place.requests -= 1;
        busy -= 1;
      };
    },
    busy: () => busy,
  };
}

/** The first connection of the address with the most of these. */
function oldestOfMost(
  places: readonly (readonly [Socket, OpenConnection])[],
): readonly [Socket, OpenConnection] | undefined {
  const counts = new Map<string, number>();
  for (const [, { address }] of places) counts.set(address, (counts.get(address) ?? 0) + 1);
  const largest = Math.max(...counts.values());
  return places.find(([, { address }]) => counts.get(address) === largest);
}
