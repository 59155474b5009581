import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const schema = z.object({ pid: z.int().positive(), endpoint: z.url(), table: z.string().min(1) });

/** `engine.json` of a data folder: there while its engine runs (contract.md, Running it). */
export type EngineFile = Readonly<z.infer<typeof schema>>;

const path = (folder: string): string => join(folder, 'engine.json');

/** What `engine.json` says; undefined where there is none or it makes no sense. */
export async function readEngineFile(folder: string): Promise<EngineFile | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(path(folder), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Writes `engine.json` in one step: nobody ever reads half of it. */
export async function writeEngineFile(folder: string, engine: EngineFile): Promise<void> {
  const draft = `${path(folder)}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(engine)}\n`);
  await rename(draft, path(folder));
}

export const removeEngineFile = (folder: string): Promise<void> => rm(path(folder), { force: true });
