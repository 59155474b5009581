import { openOAuthKeys } from '../lib/access/oauth/oauth-keys.ts';
import { pullGroup, type SendPull } from '../lib/live/due.ts';
import type { OwnNetwork } from '../lib/live/hosts.ts';
import { openSecret } from '../lib/store/secret.ts';
import { sendMessages } from './queues.ts';
import { CONNECT_LOOPBACK, CONNECTION_SECRET, PULL_URL } from './wiring.ts';

/** The key of the credentials of connections. */
export const connectionKeys = openOAuthKeys(openSecret(CONNECTION_SECRET ?? ''));

/** A deployment calls public addresses alone; one on an emulator also those of this machine, where it is tried. */
export const own: OwnNetwork = { loopback: CONNECT_LOOPBACK === '1', private: false };

/** Sends a message to the queue of pulls. */
export const sendPull: SendPull = (due, once) =>
  sendMessages(PULL_URL ?? '', [{ group: pullGroup(due), body: { ...due, once } }]);
