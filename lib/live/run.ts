import type { OAuthKeyStore } from '../access/oauth/oauth-keys.ts';
import type { Site } from '../access/site-fields.ts';
import type { ImportContext } from '../import/import-rows.ts';
import type { Log } from '../log.ts';
import type { Lease } from '../store/lease.ts';
import type { Table } from '../store/table.ts';
import type { Line } from './call.ts';
import type { DeskConnection } from './connection.ts';
import type { CaseReader, ListFrom, ListPage, Vendor } from './desk.ts';
import type { OwnNetwork } from './hosts.ts';
import type { PullProgress } from './progress.ts';
import { DeskTrouble } from './trouble.ts';

/** What pulls need of the process they run in. */
export interface PullTools {
  readonly table: Table;
  readonly keyStore: OAuthKeyStore;
  readonly own: OwnNetwork;
  readonly clock: () => number; // epoch ms
  readonly newId: () => string;
  readonly pause: (ms: number) => Promise<void>;
  readonly random: () => number; // 0 … 1
  readonly log: Log;
  readonly isEnding: () => boolean;
  readonly longestPause?: number; // ms; a longer wait for a help desk's limit ends the pull; absent: any
}

/** A pull at work. */
export interface PullRun {
  readonly tools: PullTools;
  readonly site: Site;
  readonly connection: DeskConnection;
  readonly lease: Lease;
  readonly until: number; // epoch ms
  readonly vendor: Vendor;
  readonly context: ImportContext;
  readonly line: Line;
  reader: CaseReader;
  progress: PullProgress; // as stored
  requests: number; // calls of this pull
  looked: number; // epoch ms of the last look for rings and changes of the settings
  succeeded: number; // cases of this pull
}

/** The settings changed, the time is up, or another process holds the lease: the pull ends between two cases. */
export class Interrupted extends Error {}

/** A page of the help desk's list of changes. Throws `DeskTrouble`, also if a page begins where the one before did: it would never end. */
export async function changedPage({ vendor, line, connection, site }: PullRun, from: ListFrom): Promise<ListPage> {
  const page = await vendor.list(line, from, connection.account ?? undefined, site);
  if (!page.isLast && page.cursor === from.cursor)
    throw new DeskTrouble('changed', 'The list of changes has more, and its next page begins where this one did.');
  return page;
}
