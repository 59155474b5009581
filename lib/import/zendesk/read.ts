import { certain } from '../../certain.ts';
import { caseSubject } from '../../history/cases/subject.ts';
import { parsedJson } from '../../json.ts';
import { Rejection } from '../../json-readers.ts';
import { ownJson } from '../../own-json.ts';
import type { Findings } from '../formats/findings.ts';
import { ImportFault } from '../formats/import-fault.ts';
import { shownName } from '../formats/input.ts';
import { type BrokenObject, type JsonObject, readObjects } from '../formats/json-objects.ts';
import type { LineNumbers } from '../formats/line-numbers.ts';
import type { Batch, Row } from '../formats/row.ts';
import { withEmpty } from '../mapping/case-rows.ts';
import { newMembers } from '../mapping/member-ids.ts';
import { isEvent } from '../records/records.ts';
import { HELD_BOUNDS, openSpill, type Spill, type SpillForm } from '../spill/spill.ts';
import type { TicketSetting, TimeField } from './change-events.ts';
import { commentId, isOfComment, privacyOf } from './comments.ts';
import {
  changedEvents,
  type ReadStoredEvents,
  rereadComment,
  type StoredComments,
  storedComments,
} from './earlier-comments.ts';
import { PAGES, type Unwrapped, unwrap, type ZendeskKind } from './kinds.ts';
import type { ReferenceSetting } from './macro-actions.ts';
import type { ZendeskOptions } from './options.ts';
import { newPeople, type People } from './people.ts';
import { isAgentUser, isCustomField, isReference, recordsOfObject } from './reference-objects.ts';
import { hasHistory, knowsRequester, ticketRows } from './ticket.ts';
import { isStream, readUpdate, streamsTell, type Update } from './update.ts';
import { textOf, zendeskId } from './values.ts';

/** A file of an import. */
export interface NamedBytes {
  readonly name: string; // its path
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The parameters to read Zendesk's objects. */
export interface ZendeskReading {
  readonly options: ZendeskOptions;
  readonly folder: string; // for a temporary file without a name
  readonly lineNumbers: LineNumbers;
  readonly findings: Findings;
  readonly eventsOf?: ReadStoredEvents; // reads stored events of the site; absent: there are none
}

const UPDATES: SpillForm<Update> = {
  subjectOf: ({ ticket }) => caseSubject(ticket),
  lineOf: ({ line }) => line,
  write: (update) => `${JSON.stringify(update)}\n`,
  read: (written) =>
    written
      .toString()
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [ownJson<Update>(line)])),
};

/** The state of reading the files. */
interface Gathering {
  readonly reading: ZendeskReading;
  readonly held: Spill<Update>;
  readonly people: People;
  readonly fieldNames: Map<number, string>;
  readonly macros: { readonly unwrapped: Unwrapped; readonly line: number; readonly raw: string }[];
  readonly streams: Set<Update['stream']>; // kinds of objects about tickets
  known: number; // objects of a known kind so far
}

/**
 * Reads objects of Zendesk's API. Yields reference records at once, and whole tickets after all files have been read,
 * because only then is it known who is an agent. Throws `ImportFault` if no object in the files is known.
 */
export async function* readZendesk(files: AsyncIterable<NamedBytes>, reading: ZendeskReading): AsyncGenerator<Batch> {
  const { options, folder, lineNumbers } = reading;
  const held = openSpill(folder, UPDATES, HELD_BOUNDS);
  const people = newPeople(options.agents, new Set(options.automated));
  const gathering: Gathering = {
    reading,
    held,
    people,
    fieldNames: new Map(),
    macros: [],
    streams: new Set(),
    known: 0,
  };
  try {
    const names: string[] = [];
    for await (const { name, bytes } of files) {
      names.push(name);
      lineNumbers.begin(name);
      for await (const cuts of readObjects(bytes, PAGES)) {
        const rows = cuts.flatMap((cut) => takeObject(cut, gathering) ?? []);
        if (rows.length > 0) yield rows;
        await held.rest();
      }
    }
    if (gathering.known === 0) throw new ImportFault(nothingKnown(names));
    yield gathering.macros.map(({ unwrapped, line, raw }) => referenceRow(unwrapped, { line, raw }, gathering));
    yield* ticketBatches(gathering);
  } finally {
    await held.close();
  }
}

async function* ticketBatches({ reading, held, people, fieldNames, streams }: Gathering): AsyncGenerator<Batch> {
  const { options, findings, eventsOf = async () => new Map() } = reading;
  const setting: TicketSetting = {
    options,
    people,
    members: newMembers(),
    timeField: timeFieldOf(options.timeField, fieldNames),
    ignore: findings.ignore,
  };
  const tells = streamsTell(streams);
  let [tickets, notCreated, present] = [0, 0, 0];
  for await (const group of held.groups()) {
    const cases: Row[] = [];
    const stored = await storedComments(group.values(), eventsOf);
    for (const updates of group.values()) {
      const ticket = certain(updates[0]).ticket;
      const rows = storableRows(updates, setting, stored.get(ticket));
      tickets += 1;
      if (!rows.some(isCreation)) notCreated += 1;
      if (!hasHistory(updates) && updates.some(({ stream }) => stream === 'ticket')) present += 1;
      for (const row of withEmpty(rows, { case: ticket })) cases.push(row);
    }
    yield { cases, tells };
  }
  if (present > 0) findings.warn(presentNote(present, tickets));
  if (notCreated > 0 && notCreated < tickets) findings.warn(notCreatedNote(notCreated, tickets));
}

/** The rows of a ticket's updates, beside its comments that are stored. */
export function storableRows(
  updates: readonly Update[],
  setting: TicketSetting,
  stored: ReturnType<StoredComments['get']>,
): Row[] {
  const { ticket } = certain(updates[0]);
  const rows = reread(ticketRows(ticket, updates, setting), updates, { people: setting.people, stored });
  for (const { line, event } of changedEvents(updates, stored)) rows.push({ line, records: [event] });
  return rows;
}

/** Lets comments that are stored take only the new readings that they may take. */
function reread(
  rows: readonly Row[],
  updates: readonly Update[],
  { people, stored }: { readonly people: People; readonly stored: ReturnType<StoredComments['get']> },
): Row[] {
  if (stored === undefined || stored.size === 0) return [...rows];
  const published = [...privacyOf(updates)].flatMap(([comment, isPublic]) => (isPublic ? [commentId(comment)] : []));
  const known = { people, hasRequester: knowsRequester(updates), published: new Set(published) };
  return rows.map((row) => {
    if ('reason' in row) return row;
    const records = row.records.map((record) =>
      (record.type === 'note' || record.type === 'interaction') && isOfComment(record)
        ? rereadComment(stored.get(record.id), record, known)
        : record,
    );
    return { ...row, records };
  });
}

const isCreation = (row: Row): boolean =>
  !('reason' in row) && row.records.some((record) => isEvent(record) && record.type === 'case.created');

const notCreatedNote = (notCreated: number, tickets: number): string =>
  `${notCreated} of ${tickets} tickets have no creation in these files: unless another import creates them, they count in no creation and have no durations. The record of a ticket creates it.`;

const presentNote = (present: number, tickets: number): string =>
  `${present} of ${tickets} tickets have no audits in these files, so they count as they are now: those that are done count in no resolve, have no time to resolution, and are not in the backlog.`;

/** Reads an object; returns a row if it can be made at once, else keeps the object. */
function takeObject(cut: JsonObject | BrokenObject, gathering: Gathering): Row | undefined {
  const { reading } = gathering;
  const line = reading.lineNumbers.number(cut.line);
  if ('reason' in cut) return { line, raw: cut.raw, reason: cut.reason };
  const value = parsedJson(cut.text);
  if (value === undefined) return { line, raw: cut.text, reason: 'the object is not JSON' };
  const unwrapped = unwrap(value, cut.page);
  if (unwrapped === undefined) return undefined;
  const { kind, fields } = unwrapped;
  if (kind === undefined) {
    reading.findings.ignore(`object of unknown kind (${Object.keys(fields).slice(0, 4).join(', ')}, …)`);
    return undefined;
  }
  gathering.known += 1;
  reading.findings.met(kind);
  return takeKnown({ kind, fields }, { line, raw: cut.text }, gathering);
}

interface ObjectPlace {
  readonly line: number;
  readonly raw: string;
}

function takeKnown(
  unwrapped: Unwrapped & { readonly kind: ZendeskKind },
  place: ObjectPlace,
  gathering: Gathering,
): Row | undefined {
  const { kind, fields } = unwrapped;
  const { held, people, fieldNames, macros, reading } = gathering;
  if (kind === 'user') takeUser(fields, people);
  if (kind === 'ticket field' && isCustomField(fields))
    fieldNames.set(zendeskId(fields.id) ?? 0, textOf(fields.title) ?? '');
  if (kind === 'macro') {
    macros.push({ unwrapped, ...place });
    return undefined;
  }
  if (isReference(kind)) return referenceRow(unwrapped, place, gathering);
  if (!isStream(kind)) {
    reading.findings.ignore(kind);
    return undefined;
  }
  try {
    const update = readUpdate(kind, fields, place.line, reading.findings.ignore);
    people.learn(update);
    held.add(update);
    gathering.streams.add(kind);
    return undefined;
  } catch (error) {
    return rejected(error, place);
  }
}

/** Learns from a user's role who is an agent; without a role the user's doings say it. */
function takeUser(fields: Unwrapped['fields'], people: People): void {
  const id = zendeskId(fields.id) ?? 0;
  if (isAgentUser(fields)) people.add(id);
  else if (textOf(fields.role) !== null) people.addOutsider(id);
}

function referenceRow({ kind, fields }: Unwrapped, place: ObjectPlace, { reading, fieldNames }: Gathering): Row {
  const setting: ReferenceSetting = { options: reading.options, fieldNames, ignore: reading.findings.ignore };
  try {
    return { ...place, records: kind === undefined ? [] : recordsOfObject(kind, fields, setting) };
  } catch (error) {
    return rejected(error, place);
  }
}

function rejected(error: unknown, place: ObjectPlace): Row {
  if (error instanceof Rejection) return { ...place, reason: error.message };
  throw error;
}

/** Finds the field that `--time-field` names by its title or id; throws `ImportFault` if there is none. */
export function timeFieldOf(given: string | undefined, names: ReadonlyMap<number, string>): TimeField | undefined {
  if (given === undefined) return undefined;
  const [id, title] = [...names].find(([id, name]) => name === given || String(id) === given) ?? [];
  if (id !== undefined) return { id, isTotal: /total/i.test(title ?? '') };
  if (/^\d+$/.test(given)) return { id: Number(given), isTotal: false };
  throw new ImportFault(`No ticket field is called "${given}": add the file of ticket fields, or give the field's id.`);
}

const nothingKnown = (names: readonly string[]): string =>
  names.length === 0
    ? 'There is no file to read: files with .rejected. in their names are skipped.'
    : `Nothing in ${names.slice(0, 3).map(shownName).join(', ')}${names.length > 3 ? ', …' : ''} was recognised: the import looks for ${[...PAGES].join(', ')}, as objects or API pages, from Singer or from Airbyte.`;
