import { writersAtWork } from '../history/storage/draft.ts';
import type { HistoryContext } from '../history/storage/history-context.ts';
import { isForgotten, type UndoRefusal, undoPlan } from '../history/undo.ts';
import { importIdOf, type Upload } from './upload.ts';

/** Returns why an import cannot be undone now, in a sentence for people; undefined if it can. */
export async function whyNotUndone(context: HistoryContext, upload: Upload): Promise<string | undefined> {
  const { id, touched, found, loaded } = upload;
  if (!touched) return undefined;
  const plan = await undoPlan(context, importIdOf(id));
  if ('why' in plan) return sentenceOf(plan);
  const changedNothing = loaded !== null && loaded.added + loaded.replaced + loaded.removed === 0;
  if (!changedNothing && (await isForgotten(context, importIdOf(id), found?.sources ?? []))) return FORGOTTEN;
  if (await writersAtWork(context))
    return 'An import is writing to this site, or died within the last 15 minutes: undo this one later.';
  return undefined;
}

const FORGOTTEN =
  'What this import changed is not noted any more: it is one of the first of many, or data was erased after it. Only its whole source can be removed: support source remove.';

function sentenceOf({ source, why, by }: UndoRefusal): string {
  if (why === 'removing') return `The source ${source} is being removed.`;
  const upload = /^upload-(\d+)$/.exec(by ?? '')?.[1];
  const what = upload === undefined ? 'another import, by the command line,' : `import ${upload}`;
  return `After this import, ${what} wrote to the same source (${source}): undo that one first.`;
}
