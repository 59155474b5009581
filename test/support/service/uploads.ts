import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findPack } from '../../../infra/cli/import/recognise.ts';
import { certain } from '../../../lib/certain.ts';
import type { UploadChoices } from '../../../lib/uploads/shapes.ts';
import { takeTurn } from '../../../lib/uploads/turn.ts';
import { putUpload, readUpload, type Upload, type Work } from '../../../lib/uploads/upload.ts';
import { type WorkTools, workOn } from '../../../lib/uploads/work.ts';
import type { TestService } from './service.ts';

/** Imports over HTTP whose works are done in this process. */
export interface TestUploads {
  /** Brings a file and checks it. */
  readonly bring: (content: string | Uint8Array, given?: UploadChoices, name?: string) => Promise<Upload>;
  /** Does a further work, with some fields of the import changed before. */
  readonly work: (id: number, work: Work, fields?: Partial<Upload>) => Promise<Upload>;
}

interface Begun {
  readonly id?: number; // absent: a new import
  readonly content?: string | Uint8Array;
}

/** Keeps files in a folder, as the service does. An error that nobody expects goes to `onError`. */
export function testUploads(
  { table, site }: Pick<TestService, 'table' | 'site'>,
  folder: string,
  onError: WorkTools['onError'] = (error) => {
    throw error;
  },
  { clock = Date.now, fetch }: Partial<Pick<WorkTools, 'clock' | 'fetch'>> = {},
): TestUploads {
  const pathOf: WorkTools['pathOf'] = ({ id, name }) => join(folder, String(id), name);
  const tools: WorkTools = {
    ...{ table, clock, newId: randomUUID, folder, findPack, pathOf, ...(fetch && { fetch }) },
    drop: (file) => rm(dirname(pathOf(file)), { recursive: true, force: true }),
    dropRejected: () => Promise.resolve(),
    ending: new AbortController().signal,
    onError,
  };
  const read = async (id: number) => certain(await readUpload(table, site.name, id));

  async function begin(work: Work, fields: Partial<Upload>, { id, content }: Begun): Promise<Upload> {
    const turn = certain(await takeTurn(tools, { site: site.name, owner: randomUUID(), id }));
    const before = id === undefined ? undefined : await read(id);
    const upload: Upload = {
      ...{ name: 'file', size: 1, login: 'ann', given: {}, created_at: clock(), updated_at: 1 },
      ...{
        problem: null,
        progress: null,
        touched: false,
        found: null,
        checked: null,
        loaded: null,
        changes: [],
      },
      ...before,
      ...{ id: turn.id, work, status: 'working', merged: null },
      ...fields,
    };
    await putUpload(table, turn, upload);
    await mkdir(dirname(pathOf(upload)), { recursive: true });
    if (content !== undefined) await writeFile(pathOf(upload), content);
    await workOn(tools, turn, work);
    return read(turn.id);
  }

  return {
    bring: (content, given = {}, name = 'file.csv') => begin('check', { name, given }, { content }),
    work: (id, work, fields = {}) => begin(work, fields, { id }),
  };
}
