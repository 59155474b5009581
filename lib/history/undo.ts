import { rewriteByShard } from './rewrite.ts';
import { closeSource, deleteDigests, listSources, reopenSource, type SourceNote } from './sources.ts';
import { openUndo } from './storage/change-notes.ts';
import type { HistoryContext } from './storage/history-context.ts';
import { removeSource } from './take-back.ts';

/** Why an import cannot be taken back alone (docs/design/undo.md). */
export interface UndoRefusal {
  readonly source: string;
  readonly why: 'later' | 'removing'; // another import of the source came later; the source is being removed
  readonly by?: string | undefined; // id of the latest import of the source, if that came later
}

/** What taking an import back needs: its sources. */
export interface UndoPlan {
  readonly created: readonly string[]; // sources that the import created
  readonly added: readonly string[]; // sources that were there before
}

/** Returns from which sources an import can be taken back, or why it cannot; no sources if nothing of it is stored. */
export const undoPlan = async (context: HistoryContext, importId: string): Promise<UndoPlan | UndoRefusal> =>
  planUndo(await listSources(context), importId);

/** The latest import of a source that can be taken back; undefined if there is none. */
export const lastImport = ({ imports = [] }: SourceNote): string | undefined => imports.at(-1)?.id;

/** Whether one of these sources is there, and nothing says any more what an import changed in it. */
export async function isForgotten(
  context: HistoryContext,
  importId: string,
  sources: readonly string[],
): Promise<boolean> {
  const notes = (await listSources(context)).filter(({ isTried }) => !isTried);
  return !notes.some((note) => hasImport(note, importId)) && notes.some(({ name }) => sources.includes(name));
}

const hasImport = ({ imports = [] }: SourceNote, importId: string): boolean =>
  imports.some(({ id }) => id === importId);

function planUndo(sources: readonly SourceNote[], importId: string): UndoPlan | UndoRefusal {
  const mine = sources.filter((note) => hasImport(note, importId));
  for (const note of mine) {
    const last = lastImport(note);
    if (last !== importId) return { source: note.name, why: 'later', by: last };
    if (note.state === 'removing' && note.creator !== importId) return { source: note.name, why: 'removing' };
  }
  const [created, added]: string[][] = [[], []];
  for (const { name, creator } of mine) (creator === importId ? created : added)?.push(name);
  return { created: created ?? [], added: added ?? [] };
}

/**
 * Takes back what an import added and changed: sources that it created are removed, and in those that were there before
 * its cases have the events that they had. Returns how many cases changed, or why it cannot be done. After a crash it
 * may be run again.
 */
export async function undoImport(context: HistoryContext, importId: string): Promise<number | UndoRefusal> {
  const planned = await undoPlan(context, importId);
  if ('why' in planned) return planned;
  let changed = 0;
  const { created, added } = planned;
  for (const name of added) await closeSource(context, name, 'undoing');
  if (added.length > 0) changed += await rewriteByShard(context, await openUndo(context, importId, added));
  for (const name of added) {
    await deleteDigests(context, name);
    await reopenSource(context, name);
  }
  for (const name of created) changed += (await removeSource(context, name)) ?? 0;
  return changed;
}
