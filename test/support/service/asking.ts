import type { Role } from '../../../lib/access/roles.ts';
import type { Site } from '../../../lib/access/site-fields.ts';
import type { Service } from '../../../lib/http/service.ts';
import type { Table } from '../../../lib/store/table.ts';

export interface Sent {
  readonly body?: unknown; // an object is sent as JSON, a string as it is
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: Role | null; // sends the token of the role's user; null for no credentials; default Administrator
  readonly host?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  readonly body: any; // undefined if there is no body or it is not JSON
  readonly text: string;
}

/** Sends a request to the service: `await ask('GET', '/api/v2/topics')`. */
export type Ask = (method: string, target: string, sent?: Sent) => Promise<Received>;

export interface TestService {
  readonly table: Table;
  readonly site: Site;
  readonly ask: Ask;
  /** Starts the same service again, as another process would, with other wiring; only in process. */
  readonly again: (wiring: Partial<Service>) => Ask;
  readonly origin: string; // the start of every Location header
  readonly now: { at: number }; // epoch ms, the time in the service's replies; tests set it
  readonly clock: () => number; // epoch ms, the time by which the service measures leases
  readonly logged: Record<string, unknown>[]; // only in process (`itInProcess`)
}
