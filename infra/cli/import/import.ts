import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { noteForm } from '../../../lib/history/sources.ts';
import type { CopyNumbers } from '../../../lib/import/newer-copy.ts';
import { type OpenChoices, type Opening, openImport } from '../../../lib/import/open.ts';
import { runImport } from '../../../lib/import/run-import.ts';
import { onEndSignal } from '../../local/signals.ts';
import { commandTable } from '../audited.ts';
import { type Outcome, write } from '../command.ts';
import { openProgress, type Progress } from '../progress.ts';
import { onSite, type SitePlace } from '../site.ts';
import { IMPORT, type ImportArguments, settleOpening } from './open-options.ts';
import { originOf } from './origin-options.ts';
import { outcomeOf } from './outcome.ts';
import { openQuestions } from './questions.ts';
import { findPack, readLargeInThread } from './recognise.ts';

/** `import` (docs/import.md). */
export const importCommand = (): Command =>
  onSite(
    [
      'import',
      'import support history into a site; importing a file again changes nothing',
      'events.ndjson.gz --site acme',
      ['<file>', 'gzipped or not; - reads standard input; with --format zendesk also a folder'],
    ],
    IMPORT,
    (place, options, [file = '']) => doImport(place, options, file),
    2,
  );

const GUESSED = 'Standard input was read as NDJSON. If it holds something else, name it: --format, or --map for a CSV.';
const isGuessed = ({ format, map }: ImportArguments): boolean => format === undefined && map === undefined;

async function doImport(place: SitePlace, options: ImportArguments, file: string): Promise<Outcome> {
  const { site } = place;
  const folder = place.folder ?? tmpdir();
  const dryRun = options.dryRun ?? false;
  const context = { ...place.context, importId: randomUUID() };
  const whole = { context, path: file, folder, findPack, readElsewhere: readLargeInThread };
  const plan = await settleOpening(whole, options, (...planned) => rehearseCopy(...planned, options));
  if ('questions' in plan) return openQuestions(plan.questions);
  const files = await openImport(plan.opening, plan.choices);
  const origin = originOf(options, files.origin, plan.source);
  const progress = openProgress(process.stderr, Date.now);
  const stopListening = onEndSignal(() => sayStopped(progress, dryRun));
  const audit = { action: 'import', resource: `imports/${basename(file)}` } as const;
  const table = dryRun ? place.table : commandTable(place.table, site.name, audit).table;
  try {
    const result = await runImport({ ...context, table }, files, {
      folder,
      dryRun,
      origin,
      skipsKnown: true,
      say: progress.say,
      onProgress: ({ step, events, rows, ...share }) =>
        progress.show({ doing: step, ...share, ...(rows === undefined ? { events } : { rows }) }),
    });
    if (!dryRun && plan.form !== undefined && origin !== undefined) await noteForm(context, origin.source, plan.form);
    const isEmpty = result.summary.events === 0 && result.rejected > 0;
    const warnings = [...plan.remarks, ...(file === '-' && isGuessed(options) && isEmpty ? [GUESSED] : [])];
    return outcomeOf(result, { file: files.name, site: site.name, dryRun, origin, warnings });
  } finally {
    stopListening();
    progress.end();
    await files.close();
  }
}

/** Finds out what a newer copy would change in a source. */
async function rehearseCopy(
  opening: Opening,
  choices: OpenChoices,
  source: string,
  options: ImportArguments,
): Promise<CopyNumbers> {
  const files = await openImport(opening, choices);
  try {
    const origin = originOf({ ...options, source }, files.origin, {});
    const quiet = { say: () => undefined, onProgress: () => undefined };
    const { summary } = await runImport(opening.context, files, {
      folder: opening.folder,
      dryRun: true,
      origin,
      ...quiet,
    });
    const { cases, missing } = summary;
    return { changed: cases.changed, added: cases.added, gone: missing?.cases };
  } finally {
    await files.close();
  }
}

/** Restores the terminal, and prints what a stopped import leaves. */
function sayStopped(progress: Progress, dryRun: boolean): void {
  progress.end();
  const stored = dryRun
    ? 'Nothing was written.'
    : 'Cases stored so far stay; run the same import again to continue: nothing is imported twice.';
  write(process.stderr, `\nStopped. ${stored}`);
}
