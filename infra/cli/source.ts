import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import * as z from 'zod';
import { certain } from '../../lib/certain.ts';
import { formatInstant } from '../../lib/history/cases/instant.ts';
import { findSource, type SourceNote } from '../../lib/history/sources.ts';
import type { HistoryContext } from '../../lib/history/storage/history-context.ts';
import { adoptSource, listContents, showContents } from '../../lib/history/take-back.ts';
import { lastImport, undoImport, undoPlan } from '../../lib/history/undo.ts';
import { createRemovalRoute, doRemoval } from '../../lib/uploads/source-removal.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';
import { commandTable } from './audited.ts';
import { columns } from './columns.ts';
import { type Outcome, onTable, siteOption, withExample } from './command.ts';
import { deleteBytes, requireNoWriter } from './delete-now.ts';
import { counted } from './import/outcome.ts';
import { grouped } from './progress.ts';
import { createRouteCaller } from './route-caller.ts';
import { requireSite } from './site.ts';

const ofSite = { site: z.string() };
const undoShape = { ...ofSite, yes: z.boolean().optional() };
const removeShape = { ...ofSite, yes: z.boolean().optional(), now: z.boolean().optional() };

/** `source list`, `source remove`, `source adopt`, `source undo` (docs/import.md, Exports that come again). */
export function sourceCommand(): Command {
  const list = siteOption(new Command('list').description('list the sources of a site'));
  onTable(withExample(list, 'source list --site acme'), ofSite, doList);

  const remove = siteOption(new Command('remove').description('remove all events of a source'))
    .argument('<name>', 'of the source')
    .option('--yes', 'do it; without --yes the command only says what would be removed')
    .option('--now', 'also delete the bytes at once, instead of after the next compaction');
  onTable(withExample(remove, 'source remove csv --site acme --yes'), removeShape, doRemove);

  const adopt = siteOption(
    new Command('adopt').description('give a source to the events that were imported without one'),
  ).argument('<name>', 'of the source');
  onTable(withExample(adopt, 'source adopt zendesk --site acme'), ofSite, doAdopt);
  const undo = siteOption(new Command('undo').description('take back the last import of a source alone'))
    .argument('<name>', 'of the source')
    .option('--yes', 'do it; without --yes the command only says what would be taken back');
  onTable(withExample(undo, 'source undo csv --site acme --yes'), undoShape, doUndo);
  return withExample(
    new Command('source').description('the sources from which the history of a site was imported'),
    'source list --site acme',
  )
    .addCommand(list)
    .addCommand(remove)
    .addCommand(adopt)
    .addCommand(undo);
}

async function historyOf({ table }: Place, options: { readonly site: string }): Promise<HistoryContext> {
  return { table, site: await requireSite(table, options.site, 2), clock: Date.now, newId: randomUUID };
}

async function doList(place: Place, options: { readonly site: string }): Promise<Outcome> {
  const json = (await listContents(await historyOf(place, options))).map(showContents);
  const header = ['source', 'kind', 'cases', 'events', 'first event', 'last event', 'imported'];
  const rows = json.map(({ source, kind, cases, events, first, last, imported, removing }) => [
    source ?? '(none)',
    removing ? 'being removed' : kind,
    grouped(cases),
    grouped(events),
    ...[first, last, imported].map((moment) => moment ?? ''),
  ]);
  const text = rows.length === 0 ? 'Nothing has been imported.' : columns(header, rows, [false, false, true, true]);
  return { text, json };
}

async function doRemove(
  place: Place,
  options: z.infer<z.ZodObject<typeof removeShape>>,
  [name = '']: readonly string[],
): Promise<Outcome> {
  const context = await historyOf(place, options);
  await requireSource(context, name);
  const { events, cases } = certain((await listContents(context)).find(({ source }) => source === name));
  if (!options.yes) {
    const text = `${counted(events, 'event')} of ${counted(cases, 'case')} would be removed: add --yes to remove ${name}.`;
    return { text, json: { source: name, events, cases, removed: false }, exit: 1 };
  }
  let changed = 0;
  const route = createRemovalRoute(async (removal) => {
    changed = (await doRemoval(context, removal)) ?? 0;
  });
  await createRouteCaller(place.table, await requireSite(place.table, options.site)).reply(route, { params: { name } });
  const bytes = await deleteBytes(place, context, options.now);
  const text = `Removed ${name}: ${counted(events, 'event')}, ${counted(changed, 'case')} changed. ${bytes}`;
  return { text, json: { source: name, events, cases: changed } };
}

async function requireSource(context: HistoryContext, name: string): Promise<SourceNote> {
  const note = await findSource(context, name);
  if (note === undefined) throw new Fault(`The site has no source ${name}: source list shows the sources.`);
  return note;
}

async function doUndo(
  place: Place,
  options: z.infer<z.ZodObject<typeof undoShape>>,
  [name = '']: readonly string[],
): Promise<Outcome> {
  const context = await historyOf(place, options);
  const note = await requireSource(context, name);
  const importId = lastImport(note);
  if (importId === undefined)
    throw new Fault(
      `Nothing says any more what the last import of ${name} changed: only the whole source can be removed, with source remove.`,
    );
  const plan = await undoPlan(context, importId);
  if ('why' in plan)
    throw new Fault(
      plan.why === 'removing'
        ? `The source ${plan.source} is being removed: run source remove again.`
        : `The same import wrote to the source ${plan.source}, and another import wrote to that after it: run source undo ${plan.source} first.`,
    );
  const sources = [...plan.created, ...plan.added];
  const of = `the last import of ${sources.join(', ')}, ${formatInstant(note.last * 1000)}`;
  if (!options.yes) {
    const goes =
      plan.created.length === 0 ? '' : ` It was the first one of ${plan.created.join(', ')}: nothing stays of it.`;
    const text = `Would take back ${of}.${goes} Add --yes to do it.`;
    return { text, json: { sources, undone: false }, exit: 1 };
  }
  await requireNoWriter(context);
  const audited = commandTable(place.table, context.site.name, { action: 'delete', resource: `sources/${name}` });
  const changed = await undoImport({ ...context, table: audited.table }, importId);
  if (typeof changed !== 'number') throw new Fault('Another import came meanwhile: run source undo again.');
  await audited.counted(changed);
  return {
    text: `Took back ${of}: ${counted(changed, 'case')} changed.`,
    json: { sources, cases: changed, undone: true },
  };
}

async function doAdopt(
  place: Place,
  options: { readonly site: string },
  [name = '']: readonly string[],
): Promise<Outcome> {
  const context = await historyOf(place, options);
  const audited = commandTable(place.table, context.site.name, { action: 'update', resource: `sources/${name}` });
  const adopted = await adoptSource({ ...context, table: audited.table }, name);
  if (typeof adopted === 'object') throw new Fault(`${adopted.reason}.`);
  await audited.counted(adopted);
  return { text: `${counted(adopted, 'case')} now of the source ${name}.`, json: { source: name, cases: adopted } };
}
