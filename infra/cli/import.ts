import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import type * as z from 'zod';
import { openImportRejects } from '../../lib/import/file-rejects.ts';
import { FORMATS } from '../../lib/import/format-names.ts';
import { noteSummary } from '../../lib/import/import-notes.ts';
import { importRows } from '../../lib/import/import-rows.ts';
import type { LoadProgress } from '../../lib/import/load.ts';
import type { Source } from '../../lib/import/source.ts';
import { newStories } from '../../lib/import/story.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { onEndSignal } from '../local/signals.ts';
import type { Place } from '../local/table/place.ts';
import { commandTable } from './audited.ts';
import { type Outcome, onTable, withExample } from './command.ts';
import { originOf, originOptions } from './import-origin.ts';
import { outcomeOf } from './import-outcome.ts';
import { importOptions, openImportSource } from './import-source.ts';
import { openProgress, type Progress } from './progress.ts';
import { requireSite } from './site.ts';

/** `import` (docs/import.md). */
export function importCommand(): Command {
  const several = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
  const command = new Command('import')
    .description('import support history into a site; importing a file again changes nothing')
    .argument('<file>', 'gzipped or not; - reads standard input; with --format zendesk also a folder')
    .requiredOption('--site <name>', 'name of the site')
    .option('--format <format>', `${FORMATS.join(', ')}, or a pack of your own: ./folder`)
    .option('--map <file>', 'mapping of a CSV (docs/import.md)')
    .option(
      '--zone <zone>',
      "time zone of times without offset, in exports with one row a ticket (default: the site's)",
    )
    .option('--yes', 'import the file as the recognised format, without a question')
    .option('--dry-run', 'check everything, write nothing')
    .option('--status <theirs=ours>', 'zendesk: what a status means, such as hold=pending; may repeat', several)
    .option('--automated <ids>', 'zendesk: ids of users that are machines, with commas between them')
    .option('--with-logins', 'zendesk: agents become users of the site')
    .option('--time-field <title>', 'zendesk: the ticket field in which an app writes the seconds of work')
    .addOption(
      new Option(
        '--merged <what>',
        'zendesk: keep or skip the closing of a ticket that was merged into another',
      ).choices(['keep', 'skip']),
    )
    .option('--check <file>', "zendesk: compare with Zendesk's own ticket metrics");
  return onTable(
    withExample(originOptions(command), 'import events.ndjson.gz --site acme'),
    importOptions,
    (place, given, [file = '']) => doImport(place, given, file),
  );
}

type Given = z.infer<z.ZodObject<typeof importOptions>>;

async function doImport(place: Place, given: Given, file: string): Promise<Outcome> {
  const site = await requireSite(place.table, given.site, 2);
  const folder = place.folder ?? tmpdir();
  const collections = createCollections();
  const source = await openImportSource({ table: place.table, site, collections }, given, file, folder);
  const origin = originOf(given, source.origin);
  const progress = openProgress(process.stderr, Date.now);
  const dryRun = given.dryRun ?? false;
  const stopListening = onEndSignal(() => sayStopped(progress, dryRun));
  const rejects = openImportRejects(source, dryRun, progress.say);
  const audited = commandTable(place.table, site.name, {
    action: 'import',
    resource: `imports/${basename(source.name)}`,
  });
  const context = {
    table: dryRun ? place.table : audited.table,
    site,
    collections,
    clock: Date.now,
    newId: randomUUID,
  };
  let readOtherwise = 0;
  try {
    const stories = newStories();
    const batches = dryRun ? stories.watch(source.batches) : source.batches;
    const summary = await importRows(context, batches, {
      spillFolder: folder,
      dryRun,
      ...(origin === undefined ? {} : { origin }),
      ...(source.known === undefined || dryRun ? {} : { known: source.known }), // a dry run reads every row
      onRejected: rejects.add,
      onProgress: (step) => showProgress(progress, source, step),
      ...(source.rereads === undefined ? {} : { rereads: source.rereads, onConflict: () => void (readOtherwise += 1) }),
    });
    progress.end();
    const rejectedFiles = await rejects.close();
    noteSummary(summary, source.findings);
    const check = source.check();
    return outcomeOf(summary, {
      story: stories.tell(),
      file: source.name,
      site: site.name,
      dryRun,
      ...(origin === undefined ? {} : { origin }),
      rejected: rejects.count(),
      rejectedFiles,
      rejections: rejects.groups(),
      findings: source.findings.summary(),
      readOtherwise,
      ...(check === undefined ? {} : { check }),
    });
  } finally {
    stopListening();
    progress.end();
    await source.close();
  }
}

/** Restores the terminal, and prints what a stopped import leaves. */
function sayStopped(progress: Progress, dryRun: boolean): void {
  progress.end();
  const stored = dryRun
    ? 'Nothing was written.'
    : 'Cases stored so far stay; run the same import again to continue: nothing is imported twice.';
  process.stderr.write(`\nStopped. ${stored}\n`);
}

function showProgress(progress: Progress, source: Source, { read, merged, folding }: LoadProgress): void {
  const rows = source.rows();
  if (folding) progress.show({ doing: 'folding', ...folding, events: folding.done });
  else if (merged > 0) {
    const share = rows ? { done: rows.given, total: rows.read } : { done: merged, total: read };
    progress.show({ doing: 'storing', ...share, events: merged });
  } else {
    const count = rows ? { rows: rows.read } : { events: read };
    progress.show({ doing: 'reading', done: source.position(), total: source.size, ...count });
  }
}
