import * as z from 'zod';
import { certain } from '../certain.ts';
import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import { replan } from '../store/replan.ts';
import type { Item, Write } from '../store/table.ts';
import { ALL_TELLINGS, type Telling } from '../vocabulary.ts';
import type { HistoryEvent, Instant } from './cases/event.ts';
import { deleteChangeNotes } from './storage/change-notes.ts';
import { readManifest } from './storage/commit.ts';
import type { HistoryContext } from './storage/history-context.ts';
import { readTail } from './storage/tail.ts';

/** The kind of a source: its events add up, or each import replaces a case's events (docs/design/versions.md). */
export type SourceKind = 'log' | 'versioned';

const tellings = () => z.array(z.enum(ALL_TELLINGS)).optional();

const schema = z.object({
  name: z.string(),
  kind: z.enum(['log', 'versioned']),
  state: z.enum(['open', 'removing', 'undoing']), // not open: its events are refused until that work is complete
  first: z.number(), // epoch ms of its first import
  last: z.number(), // epoch ms of its last import
  moment: z.number(), // µs: the largest moment of its imports, the last part of their `as_of`
  form: z.string().optional(), // digest of the columns of its last file, by which a newer copy is recognised
  tells: tellings(), // what it can tell; absent: unknown, as it was imported before this was kept
  isTried: z.boolean().optional(), // imports were begun, and all were refused or broke off before their first case
  creator: z.string().optional(), // the import that created it
  imports: z.array(z.object({ id: z.string(), form: z.string().optional(), tells: tellings() })).optional(), // its latest ones, the last one last, each with the `form` and `tells` before it
});

/** The stored item of a source. */
export type SourceNote = Readonly<z.infer<typeof schema>>;

const noteIn = (item: Item | undefined): SourceNote | undefined =>
  item === undefined ? undefined : schema.parse(item);

export const kindOfEvent = ({ as_of }: HistoryEvent): SourceKind => (as_of === undefined ? 'log' : 'versioned');

/** Lists all sources of a site, by name; also those of which nothing is stored yet. */
export async function listSources({ table, site }: Pick<HistoryContext, 'table' | 'site'>): Promise<SourceNote[]> {
  return (await listNotes({ table, site })).filter(({ name }) => name !== NAMELESS);
}

async function listNotes({ table, site }: Pick<HistoryContext, 'table' | 'site'>): Promise<SourceNote[]> {
  const items = await table.query(keys.history(site.name).pk, { prefix: keys.source(site.name, '').sk });
  return items.map((item) => schema.parse(item));
}

/** The name of the item that says what the events without a source tell; no list of sources has it. */
const NAMELESS = '';

/** What a source can tell, as its item says. */
export interface SourceTells {
  readonly name: string | null; // null: the events that came without a source
  readonly tells: readonly Telling[];
}

/** Returns what each source of a site can tell; undefined where that is unknown of one of them, or there is none. */
export async function readTells(context: Pick<HistoryContext, 'table' | 'site'>): Promise<SourceTells[] | undefined> {
  const all: SourceTells[] = [];
  for (const note of (await listNotes(context)).filter(isListed)) {
    if (note.tells === undefined) return undefined;
    if (note.name !== NAMELESS || note.tells.length > 0)
      all.push({ name: note.name === NAMELESS ? null : note.name, tells: note.tells });
  }
  return all.length === 0 ? undefined : all;
}

/** Records what events without a source can tell, which adds up. */
export function noteNameless(context: HistoryContext, tells: readonly Telling[]): Promise<void> {
  const { table, site, clock } = context;
  const key = keys.source(site.name, NAMELESS);
  return replan(async () => {
    const before = noteIn(await table.get(key));
    const isOld = before === undefined && !(await isEmptyHistory(context));
    const all = isOld ? undefined : toldBy('log', before ?? { tells: [] }, tells);
    if (before !== undefined && isSame(before.tells, all)) return;
    const [now, moment] = [clock(), (before?.moment ?? 0) + 1];
    const note: SourceNote = { name: NAMELESS, kind: 'log', state: 'open', first: now, last: now, moment, tells: all };
    await table.put({ ...key, ...note }, before ? { attribute: 'moment', equals: before.moment } : { absent: true });
  });
}

/** Whether a site has no history yet. */
export async function isEmptyHistory(context: HistoryContext): Promise<boolean> {
  const { version } = await readManifest(context.table, context.site.name);
  return version === 0 && (await readTail(context)).pending.length === 0;
}

/** What a source tells after events that tell `added`: of a log also what it told before. */
function toldBy(
  kind: SourceKind,
  before: Pick<SourceNote, 'tells'> | undefined,
  added: readonly Telling[] | undefined,
): SourceNote['tells'] {
  if (before === undefined || added === undefined) return added && [...added];
  if (kind === 'versioned') return [...added];
  return before.tells && ALL_TELLINGS.filter((each) => added.includes(each) || before.tells?.includes(each));
}

const isSame = (a: readonly Telling[] | undefined, b: readonly Telling[] | undefined): boolean =>
  a === b || (a?.length === b?.length && a?.every((each) => b?.includes(each)) === true);

/** Reads the items of some sources; undefined for a source that the site does not have. */
export async function readSources(
  { table, site }: HistoryContext,
  names: readonly string[],
): Promise<(SourceNote | undefined)[]> {
  return (await table.batchGet(names.map((name) => keys.source(site.name, name)))).map(noteIn);
}

/** Finds a source as lists show it; undefined if nothing of it is stored. */
export async function findSource(context: HistoryContext, name: string): Promise<SourceNote | undefined> {
  const [note] = await readSources(context, [name]);
  return note !== undefined && isListed(note) ? note : undefined;
}

/** Whether lists show a source: something of it was stored, or its removal has begun. */
export const isListed = ({ isTried, state }: SourceNote): boolean => !isTried || state !== 'open';

/** Returns why a source refuses events of a kind; undefined if it accepts them. */
export function sourceRefusal(
  note: Pick<SourceNote, 'kind' | 'state' | 'isTried'> | undefined,
  name: string,
  kind: SourceKind,
): string | undefined {
  if (note === undefined) return undefined;
  if (note.state === 'removing')
    return `source: ${JSON.stringify(name)} is being removed; wait for its end, or remove it again`;
  if (note.state === 'undoing') return `source: an import of ${JSON.stringify(name)} is being undone; undo it again`;
  if (note.kind === kind || note.isTried) return undefined; // nothing is stored of a tried one, so it may become either kind
  return kind === 'log'
    ? `source: ${JSON.stringify(name)} has versions, so as_of is needed`
    : `source: ${JSON.stringify(name)} is a log, so its events have no as_of`;
}

/** A source that refuses events. */
interface RefusedSource {
  readonly reason: string;
  readonly isOtherKind: boolean; // it has events of the other kind; false: it is being removed or undone
}

/** How a source is opened. */
interface Opening {
  readonly isImport?: boolean; // it gets a new moment: now, or 1 ms after its largest so far
  readonly isTried?: boolean; // whether the import may store anything is not known yet: `confirmSource` says so
  readonly tells?: readonly Telling[] | undefined; // what its events can tell; absent: unknown
}

/**
 * Records that events of a kind are about to be stored for a source. Returns its moment, or the reason if the source
 * refuses them.
 */
export async function openSource(
  context: HistoryContext,
  name: string,
  kind: SourceKind,
  { isImport = false, isTried = false, tells }: Opening = {},
): Promise<RefusedSource | { readonly moment: Instant }> {
  const { table, site, clock } = context;
  const key = keys.source(site.name, name);
  for (;;) {
    const before = noteIn(await table.get(key));
    const reason = sourceRefusal(before, name, kind);
    if (reason !== undefined) return { reason, isOtherKind: before?.state === 'open' };
    const now = clock();
    const earlier = before?.moment ?? 0;
    const moment = isImport ? Math.max(now * 1000, earlier + 1000) : earlier;
    const isNew = before === undefined || before.isTried === true;
    const told = isTried ? before?.tells : toldBy(kind, isNew ? undefined : before, tells);
    if (!isNew && !isImport && isSame(before.tells, told)) return { moment };
    if (before === undefined) await noteNameless(context, []);
    const stays = isTried && (before?.isTried ?? before === undefined);
    const note: SourceNote = {
      name,
      kind,
      state: 'open',
      first: before?.first ?? now,
      last: now,
      moment,
      form: before?.form,
      tells: before?.tells,
      creator: before?.creator,
      imports: before?.imports,
      isTried: stays || undefined,
    };
    const written = isImport && !isTried ? withImport(context, note, told, isNew) : { ...note, tells: told };
    try {
      const when = { attribute: 'moment', equals: earlier } as const;
      await table.put({ ...key, ...written }, before === undefined ? { absent: true } : when);
      await dropOldNotes(context, note, written);
      return { moment };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error; // another import came between
    }
  }
}

export const MOST_IMPORTS = 8; // of a source that can be taken back

/** Adds the import at work to the imports of a source; `isNew`: it creates the source. */
function withImport(
  { importId }: HistoryContext,
  note: SourceNote,
  told: SourceNote['tells'],
  isNew = false,
): SourceNote {
  const { imports = [], form, tells } = note;
  if (importId === undefined || imports.at(-1)?.id === importId) return { ...note, tells: told };
  const entry = { id: importId, ...(form && { form }), ...(tells && { tells }) };
  return {
    ...note,
    tells: told,
    ...(isNew && { creator: importId }),
    imports: [...imports, entry].slice(-MOST_IMPORTS),
  };
}

/** Deletes the change notes of imports that a source's item does not name any more. */
async function dropOldNotes(context: HistoryContext, before: SourceNote, after: SourceNote): Promise<void> {
  const stays = new Set(after.imports?.map(({ id }) => id));
  for (const { id } of before.imports ?? [])
    if (!stays.has(id)) await deleteChangeNotes(context, { source: after.name, importId: id });
}

/** Records the columns of a source's last file, as a digest; does nothing if the site has no such source. */
export function noteForm({ table, site }: HistoryContext, name: string, form: string): Promise<void> {
  const key = keys.source(site.name, name);
  return replan(async () => {
    const before = noteIn(await table.get(key));
    if (before === undefined || before.form === form) return;
    await table.put({ ...key, ...before, form }, { attribute: 'moment', equals: before.moment });
  });
}

/**
 * Records that an import of a source stores events. Returns the reason if the source refuses them, because another
 * import has stored events of the other kind meanwhile.
 */
export function confirmSource(
  context: HistoryContext,
  name: string,
  kind: SourceKind,
  tells?: readonly Telling[],
): Promise<string | undefined> {
  const { table, site } = context;
  const key = keys.source(site.name, name);
  return replan(async () => {
    const before = noteIn(await table.get(key));
    const reason = sourceRefusal(before, name, kind);
    if (reason !== undefined || before === undefined) return reason;
    const { isTried, ...note } = before;
    const told = toldBy(kind, isTried ? undefined : before, tells);
    const after = withImport(context, { ...note, kind }, told, isTried);
    if (!isTried && after.imports === before.imports && isSame(before.tells, told)) return undefined;
    await table.put({ ...key, ...after }, { attribute: 'moment', equals: note.moment });
    await dropOldNotes(context, note, after);
    return undefined;
  });
}

/** A merge has events of a source that is being removed, or of which an import is being undone. */
export class SourceClosed extends Error {
  constructor(name: string, state: SourceNote['state'] | undefined) {
    super(
      state === 'undoing'
        ? `An import of the source ${name} is being undone: undo it to its end, then import again.`
        : `The source ${name} is being removed: run source remove to its end, then import again.`,
    );
    this.name = 'SourceClosed';
  }
}

/** Returns the items of these sources. Throws `SourceClosed` if one of them is closed or was removed. */
export async function requireOpenSources(context: HistoryContext, names: readonly string[]): Promise<SourceNote[]> {
  if (names.length === 0) return [];
  return (await readSources(context, names)).map((note, index) => {
    if (note?.state !== 'open') throw new SourceClosed(certain(names[index]), note?.state);
    return note;
  });
}

/** Returns a check that lets a transaction fail if a source is not open. */
export const sourceOpenCheck = (site: string, name: string): Write => ({
  check: keys.source(site, name),
  when: { attribute: 'state', equals: 'open' },
});

/**
 * Closes a source to new events. Its moment rises, so that an import that read the item before cannot open the source
 * again. Returns false if the site has no such source, or, of work that `hasBegun`, if the source is open.
 */
export function closeSource(
  { table, site }: Pick<HistoryContext, 'table' | 'site'>,
  name: string,
  state: 'removing' | 'undoing',
  { hasBegun } = { hasBegun: false },
): Promise<boolean> {
  const key = keys.source(site.name, name);
  return replan(async () => {
    const note = noteIn(await table.get(key));
    if (note === undefined || (hasBegun && note.state === 'open')) return false;
    const closed: SourceNote = { ...note, state, moment: note.moment + 1 };
    await table.put({ ...key, ...closed }, { attribute: 'moment', equals: note.moment });
    return true;
  });
}

/** Opens a source again without its last import, which was taken back, and deletes the notes of that. */
export async function reopenSource(context: HistoryContext, name: string): Promise<void> {
  const { table, site } = context;
  const key = keys.source(site.name, name);
  await replan(async () => {
    const note = noteIn(await table.get(key));
    if (note?.state !== 'undoing') return;
    const { form: _, tells: __, imports = [], ...rest } = note;
    const { form, tells } = imports.at(-1) ?? {};
    const earlier = { ...(form && { form }), ...(tells && { tells }) };
    const opened: SourceNote = { ...rest, state: 'open', imports: imports.slice(0, -1), ...earlier };
    await table.put({ ...key, ...opened }, { attribute: 'moment', equals: note.moment });
    await dropOldNotes(context, note, opened);
  });
}

/** Forgets what the imports of all sources changed: they cannot be taken back any more, but by removing a source that has one import alone. */
export async function forgetImports(context: HistoryContext): Promise<void> {
  const { table, site } = context;
  for (const { name } of await listSources(context)) {
    const key = keys.source(site.name, name);
    await replan(async () => {
      const note = noteIn(await table.get(key));
      if (note?.imports === undefined) return;
      const isOnly = note.imports.length === 1 && note.imports[0]?.id === note.creator;
      if (!isOnly) await table.put({ ...key, ...note, imports: [] }, { attribute: 'moment', equals: note.moment });
    });
    await deleteChangeNotes(context, { source: name });
  }
}

/** Deletes a source's item; the source may then be imported again as if it were new. */
export async function deleteSourceItem(context: HistoryContext, name: string): Promise<void> {
  await deleteDigests(context, name);
  await deleteChangeNotes(context, { source: name });
  await context.table.delete(keys.source(context.site.name, name));
}

/**
 * Deletes the stored digests of a source's cases, or of all sources (docs/design/versions.md, Rows that did not
 * change).
 */
export async function deleteDigests({ table, site }: HistoryContext, source?: string): Promise<void> {
  const { pk } = keys.history(site.name);
  const heads = await table.query(pk, { prefix: keys.known(site.name, source ?? '').sk, attributes: [] });
  const ofSource = heads.filter(({ sk }) => source === undefined || sk === keys.known(site.name, source).sk);
  for (const key of ofSource) await table.delete(key); // before the parts, which are read only if the head is there
  const prefix = source === undefined ? 'known-part#' : `known-part#${source}#`;
  const parts = await table.query(pk, { prefix, attributes: [] });
  await table.batchWrite(parts.map((key) => ({ delete: key })));
}

/** Returns the write that deletes a source's digests, for a transaction that stores another event of the source. */
export const digestDeletion = (site: string, source: string): Write => ({ delete: keys.known(site, source) });
