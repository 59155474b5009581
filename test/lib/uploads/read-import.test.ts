import { NEW_SITE } from '../../../lib/access/site-fields.ts';
import { keys } from '../../../lib/store/keys.ts';
import type { Table } from '../../../lib/store/table.ts';
import { readImport, readImportHeads, readImports } from '../../../lib/uploads/read-import.ts';
import { stateOf } from '../../../lib/uploads/show.ts';
import { takeTurn, type UploadTurn } from '../../../lib/uploads/turn.ts';
import { finishUpload, putUpload, type Upload } from '../../../lib/uploads/upload.ts';
import { freshTable } from '../../support/service/table.ts';

const NOW = 1_000_000;
const site = { ...NEW_SITE, name: 'acme', title: 'Acme', hosts: [] };
const uploadOf = (id: number): Upload => ({
  ...{ id, name: 'file.csv', size: 1, login: 'ann', given: {}, created_at: 1, updated_at: 1 },
  ...{ work: 'check', status: 'working', problem: null, progress: null, touched: false },
  ...{ found: null, checked: null, loaded: null, merged: null, changes: [] },
});

/** A table in which something happens between the reads of an import and of its turn. */
function withBetween(table: Table, between: () => Promise<void>): Table {
  let isOver = false;
  return {
    ...table,
    get: async (key) => {
      if (key.sk === keys.uploadTurn(site.name).sk && !isOver) {
        isOver = true;
        await between();
      }
      return table.get(key);
    },
  };
}

it('an import whose work ends while it is looked at has ended, and was not interrupted', async () => {
  const table = await freshTable();
  const begin = async (): Promise<UploadTurn> => {
    const turn = await takeTurn({ table, clock: () => NOW }, { site: site.name, owner: 'a' });
    if (turn === undefined) throw new Error('no turn');
    await putUpload(table, turn, uploadOf(turn.id));
    return turn;
  };
  const end = async (turn: UploadTurn): Promise<void> => {
    await finishUpload({ table, clock: () => NOW }, turn, { ...uploadOf(turn.id), status: 'done' });
  };
  const one = await begin();
  const seen = await readImport({ site, now: NOW, table: withBetween(table, () => end(one)) }, one.id);
  expect(stateOf(seen)).toBe('checked');
  const two = await begin();
  const heads = await readImportHeads({ site, now: NOW, table: withBetween(table, () => end(two)) });
  expect(heads.map(({ state }) => state)).toEqual(['checked', 'checked']);
  const three = await begin();
  const place = { site, now: NOW, table };
  const all = await readImportHeads(place);
  expect(all.map(({ state }) => state)).toEqual(['checking', 'checked', 'checked']);
  const read = await readImports({ ...place, table: withBetween(table, () => end(three)) }, all);
  expect(read.map(stateOf)).toEqual(['checked', 'checked', 'checked']);
});

it('one whose turn ran out was interrupted', async () => {
  const table = await freshTable();
  const turn = await takeTurn({ table, clock: () => NOW }, { site: site.name, owner: 'a' });
  await putUpload(table, turn!, uploadOf(turn!.id));
  expect(stateOf(await readImport({ site, now: NOW, table }, turn!.id))).toBe('checking');
  expect(stateOf(await readImport({ site, now: NOW + 3_600_000, table }, turn!.id))).toBe('interrupted');
});
