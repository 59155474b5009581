import { createInterface } from 'node:readline/promises';
import { recognisePath } from '../../lib/import/file-start.ts';
import { readPack } from '../../lib/import/pack-source.ts';
import { PACKS, type Pack } from '../../lib/import/packs/pack.ts';
import type { Recognised } from '../../lib/import/recognise.ts';
import { Fault } from '../fault.ts';
import { projectPath } from '../project.ts';

/** The packs that come with the product, or one of somebody's own: a name with a slash. */
export const findPack = (name: string, zone: string): Promise<Pack> =>
  readPack(name.includes('/') ? name : projectPath(`lib/import/packs/${name}`), zone);

/** What a file or folder looks like; undefined: nobody knows. */
export async function recognise(path: string): Promise<Recognised | undefined> {
  return recognisePath(path, await Promise.all(PACKS.map((name) => findPack(name, 'UTC'))));
}

/**
 * Says what a file was taken for and asks whether that is so: people on a terminal alone. Others have to say it, save for
 * records as they are. Throws a `Fault` where the answer is no.
 */
export async function confirm(path: string, { format, why }: Recognised, isSure: boolean): Promise<void> {
  const { stdin, stderr } = process;
  const isAsked = stdin.isTTY === true && stderr.isTTY === true;
  if (!isAsked && format === 'ndjson') return;
  const say = `${path} looks like --format ${format}: ${why}.`;
  if (isSure) {
    stderr.write(`${say}\n`);
    return;
  }
  if (!isAsked) throw new Fault(`${say} Pass --format ${format}, or --yes to import it as that.`, 2);
  const terminal = createInterface({ input: stdin, output: stderr });
  const answer = await terminal.question(`${say} Import it as that? [y/N] `).finally(() => terminal.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new Fault('Nothing was imported. Name the format by --format.', 2);
}
