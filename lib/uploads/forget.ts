import type { Forgotten } from '../access/forget-in-audit.ts';
import { normalizeLogin } from '../access/users.ts';
import { replan } from '../store/replan.ts';
import type { Table } from '../store/table.ts';
import { inNumbers, listUploads, readUpload, replaceUpload, type Upload, withoutRows } from './upload.ts';

const ERASED = 'erased';
const GONE = 'Its file was deleted because a person was erased: send the file again.';

/**
 * Takes from all imports of a site what they show of their files, whose rows may have a person in any spelling:
 * previews, questions, mappings, stories, rejected lines. Numbers and sources stay, so that an import can be undone. Safe to run again.
 */
export async function forgetInImports(table: Table, site: string, forgotten: Forgotten): Promise<void> {
  for (const { id } of await listUploads(table, site)) {
    await replan(async () => {
      const upload = await readUpload(table, site, id);
      if (upload !== undefined) await replaceUpload(table, site, upload, without(upload, forgotten));
    });
  }
}

function without(upload: Upload, { aliases, words }: Forgotten): Upload {
  const { login, name, given, found, checked, loaded, work, status, asked, changes } = upload;
  const { mapping: _, answers: __, agreed: ___, ...choices } = given; // who agreed is asked again, as the answers go
  const aliased = (one: string) => aliases.get(normalizeLogin(one)) ?? one;
  const isOver = status === 'done' && work !== 'check';
  return {
    ...upload,
    login: aliased(login),
    forgotten: (upload.forgotten ?? 0) + 1,
    asked: asked === undefined || typeof asked === 'string' ? asked : { ...asked, login: aliased(asked.login) },
    changes: words ? changes.filter((change) => JSON.stringify(change).search(words) < 0) : changes,
    name: words ? name.replace(words, ERASED) : name,
    given: choices,
    found: found && { ...withoutRows(found), mapping: null, questions: [] },
    checked: inNumbers(checked),
    loaded: inNumbers(loaded),
    ...(isOver ? { problem: null } : { status: 'failed', problem: GONE, progress: null }),
  };
}
