import { forgetInDeliveries } from '../../lib/deliver/forget.ts';
import { forgetAnswers } from '../../lib/http/repeats.ts';
import { type ErasePlan, erase } from '../../lib/import/erasing/erase.ts';
import { whatNames, wholeWords } from '../../lib/import/erasing/named.ts';
import type { ImportContext } from '../../lib/import/import-rows.ts';
import { forgetInImports } from '../../lib/uploads/forget.ts';
import { endTurn, keepTurn, takeTurn } from '../../lib/uploads/turn.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';
import { dropFilesOf, uploadFolderIn } from '../local/uploads/files.ts';

/** The result of an erasure. */
interface Erased {
  readonly cases: number; // that changed
  readonly named: readonly string[]; // what people wrote that still has the name or login
}

/**
 * Carries out a plan in every room that stores something of people (docs/design/erasing.md). Holds the turn of the
 * site's imports meanwhile. Throws a `Fault` while an import has it.
 */
export async function eraseEverywhere(
  { folder }: Pick<Place, 'folder'>,
  context: ImportContext,
  plan: ErasePlan,
): Promise<Erased> {
  const { site, newId } = context;
  const turn = await takeTurn(context, { site: site.name, owner: newId() });
  if (turn === undefined) throw new Fault('An import of this site is at work: wait for its end.');
  const { table, stop, still } = keepTurn(context, turn, {
    onTaken: () => undefined, // every step may be done beside an import, too
  });
  try {
    return await Promise.race([eraseUnderTurn(folder, { ...context, table }, plan), still]);
  } finally {
    stop();
    await endTurn(context, turn);
  }
}

async function eraseUnderTurn(folder: Place['folder'], context: ImportContext, plan: ErasePlan): Promise<Erased> {
  const { table, site } = context;
  const cases = await erase(context, plan, async ({ aliases, words }) => {
    await forgetInImports(table, site.name, { aliases, words });
    await forgetInDeliveries(table, site.name, { aliases, words });
    if (folder !== undefined) await dropFilesOf(uploadFolderIn(folder), site.name);
    const answers = wholeWords([...plan.texts, ...plan.members.flatMap(pathsOf)]);
    if (answers !== undefined) await forgetAnswers(table, site.name, answers);
  });
  const words = wholeWords(plan.texts);
  return { cases, named: words === undefined ? [] : await whatNames(table, site.name, words) };
}

/** What answers of the API call a member. */
const pathsOf = ({ kind, id }: ErasePlan['members'][number]): string[] => [
  `/api/v2/${kind === 'agent' ? 'users' : 'companies'}/${id}`,
  ...(id > 2 ** 32 ? [String(id)] : []),
];
