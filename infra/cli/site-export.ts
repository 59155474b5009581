import { open, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type ExportCount, siteLines } from '../../lib/import/export/site-lines.ts';
import type { ImportContext } from '../../lib/import/import-rows.ts';
import { printable } from '../../lib/text.ts';
import { Fault } from '../fault.ts';
import { type Outcome, write } from './command.ts';
import { counted } from './import/outcome.ts';

export interface ExportOptions {
  readonly to?: string | undefined; // a new file; undefined: standard output
  readonly json?: boolean | undefined;
}

/** `site export`: writes a site as records that `import` reads again (docs/import.md). */
export async function exportSite(context: ImportContext, { to, json }: ExportOptions): Promise<Outcome> {
  const { site } = context;
  if (to === undefined && json) throw new Fault('--json needs --to: standard output is for the records.', 2);
  const count: ExportCount = { records: 0, events: 0, marks: 0 };
  const lines = Readable.from(siteLines(context, count));
  await (to === undefined ? pipeline(lines.map(printable), process.stdout, { end: false }) : toFile(lines, to));
  const text = `${counted(count.records, 'reference record')} and ${counted(count.events, 'event')} of ${site.name} exported. Passwords, tokens, saved reports and boards are not among them.`;
  if (to === undefined) write(process.stderr, text);
  return { text: to === undefined ? '' : text, json: { site: site.name, ...count, file: to } };
}

/** Writes a new file that only this user can read; removes it if the export fails. */
async function toFile(lines: Readable, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    const why =
      error instanceof Error && 'code' in error && error.code === 'EEXIST' ? 'exists already' : 'cannot be created';
    throw new Fault(`${path} ${why}: name another file with --to.`);
  });
  const output: Writable = file.createWriteStream();
  try {
    await (path.endsWith('.gz') ? pipeline(lines, createGzip(), output) : pipeline(lines, output));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
