import type { HistoryRecord } from '../import/records/records.ts';
import type { ReadStoredEvents } from '../import/zendesk/earlier-comments.ts';
import type { JsonFields } from '../json-readers.ts';
import type { CaseStatus, Telling } from '../vocabulary.ts';
import type { Line } from './call.ts';
import type { VendorCheck } from './check/check.ts';
import type { SystemHosts } from './hosts.ts';

/** The help desks that a site can be connected to, in the order of the console's cards. */
export const SYSTEMS = ['zendesk', 'intercom', 'freshdesk', 'chatwoot', 'zammad'] as const;
export type System = (typeof SYSTEMS)[number];

/** What signs calls to a help desk. */
interface DeskCredentials {
  readonly token: string;
  readonly login?: string | undefined;
}

/** A case as a help desk's list of changes has it. */
export interface ListedCase {
  readonly id: string; // as people see it, and as the case is stored
  readonly changed: number; // epoch ms of its last change
  readonly isRated?: true; // it was rated, and nothing else is known: it is read if nothing of it is stored
  readonly record?: JsonFields | undefined; // absent: only its id is known, from a doorbell or a retry
}

/** A page of the cases that changed. */
export interface ListPage {
  readonly cases: readonly ListedCase[];
  readonly records?: readonly HistoryRecord[] | undefined; // what the list itself tells of cases, such as their ratings
  readonly cursor: string; // where the next page begins, or the next pull if this is the last page
  readonly isLast: boolean;
}

/** Where a list begins: at a cursor, or at a time. */
export interface ListFrom {
  readonly since: number; // epoch ms
  readonly cursor: string | null;
  readonly begins: boolean; // a pull begins: lists by time go back a little
  readonly until?: number | undefined; // epoch ms; who asks wants no later changes: the list may end at them
}

/** What reading cases needs to know of the site. */
export interface DeskSetting {
  readonly agents: readonly number[]; // ids of the site's agents
  readonly rating: 'yes_no' | 'four_star';
  readonly options: VendorOptions;
  readonly eventsOf: ReadStoredEvents;
}

/** The options of Zendesk's connections, as for files. */
interface VendorOptions {
  readonly automated?: readonly number[] | undefined;
  readonly statuses?: Readonly<Record<string, CaseStatus>> | undefined;
  readonly merged?: 'keep' | 'skip' | undefined;
  readonly time_field?: string | undefined;
}

/** Reads whole cases; it remembers members during a pull. */
export interface CaseReader {
  /** The records of a case; undefined if the help desk does not have it. Throws `DeskTrouble`. */
  read(listed: ListedCase): Promise<readonly HistoryRecord[] | undefined>;
}

/** How a doorbell of a system proves that it is the help desk's. */
interface Proof {
  readonly signed: (body: Buffer, header: (name: string) => string, secret: string) => boolean;
  readonly sentAt?: (header: (name: string) => string) => number; // epoch ms; absent: it tells no time
  /** The id of the case that a body names; undefined: none. */
  readonly caseOf: (body: JsonFields) => unknown;
}

/** A help desk's system: what differs from one to the other. */
export interface Vendor {
  readonly title: string; // for people
  readonly hosts: SystemHosts;
  readonly prefix: string; // of the ids of its events
  readonly needsAccount?: true;
  readonly makesSecret?: true; // its doorbells need a secret that we make
  readonly delay: number; // ms: its lists lack the changes of the last so many
  readonly packs: readonly string[]; // sources of its files that have other ids
  readonly lacks?: readonly Telling[]; // what its cases cannot tell; absent: they tell everything
  readonly headers: (credentials: DeskCredentials) => Readonly<Record<string, string>>;
  /** One cheap call that shows whether the credentials are right. Throws `DeskTrouble`. */
  readonly test: (line: Line, account: number | undefined) => Promise<void>;
  readonly list: (
    line: Line,
    from: ListFrom,
    account: number | undefined,
    setting: Pick<DeskSetting, 'rating'>,
  ) => Promise<ListPage>;
  /** All agents, groups and other members, some at a time. */
  readonly members: (
    line: Line,
    account: number | undefined,
    setting: DeskSetting,
  ) => AsyncIterable<readonly HistoryRecord[]>;
  readonly reader: (line: Line, setting: DeskSetting, account: number | undefined) => Promise<CaseReader>;
  readonly proof: Proof;
  readonly check?: VendorCheck; // absent: it has no figures of its own
}
