import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { ReadElsewhere } from '../../../lib/import/import-files.ts';
import { readPack } from '../../../lib/import/open-pack.ts';
import type { Pack } from '../../../lib/import/packs/pack.ts';
import type { Recognised } from '../../../lib/import/recognise.ts';
import { printable } from '../../../lib/text.ts';
import { Fault } from '../../fault.ts';
import { readInThread } from '../../local/threads/rows-in-thread.ts';
import { projectPath } from '../../project.ts';
import { write } from '../command.ts';

/** Loads one of the product's packs, or, for a name with a slash, a pack in a folder. */
export const findPack = (name: string, zone: string): Promise<Pack> =>
  readPack(name.includes('/') ? name : projectPath(`lib/import/packs/${name}`), zone);

const THREAD_BYTES = 8_000_000; // size from which a file is read in a thread

/** Reads large files in a thread, which takes 0.1 s to start; the size of standard input is unknown. */
export const readLargeInThread: ReadElsewhere = (task, size = 0, notes) =>
  size >= THREAD_BYTES && availableParallelism() > 1 ? readInThread(task, notes) : undefined;

/**
 * Prints the recognised format and asks for confirmation on a terminal. Without a terminal it throws a `Fault` unless
 * the format was confirmed by `isSure` or is NDJSON. Throws a `Fault` if the answer is no.
 */
export async function confirm(path: string, { format, why }: Recognised, isSure: boolean): Promise<void> {
  const { stdin, stderr } = process;
  const isAsked = stdin.isTTY === true && stderr.isTTY === true;
  if (!isAsked && format === 'ndjson') return;
  const say = `${path} looks like --format ${format}: ${why}.`;
  if (isSure) {
    write(stderr, say);
    return;
  }
  if (!isAsked) throw new Fault(`${say} Pass --format ${format}, or --yes to import it as that.`, 2);
  const terminal = createInterface({ input: stdin, output: stderr });
  const answer = await terminal.question(printable(`${say} Import it as that? [y/N] `)).finally(() => terminal.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new Fault('Nothing was imported. Name the format by --format.', 2);
}
