import type { Command } from 'commander';
import { certain } from '../../lib/certain.ts';
import { formatInstant } from '../../lib/history/cases/instant.ts';
import { findSource, type SourceNote } from '../../lib/history/sources.ts';
import type { HistoryContext } from '../../lib/history/storage/history-context.ts';
import { adoptSource, listContents, showContents } from '../../lib/history/take-back.ts';
import { lastImport, undoImport, undoPlan } from '../../lib/history/undo.ts';
import { createRemovalRoute, doRemoval } from '../../lib/uploads/source-removal.ts';
import { Fault } from '../fault.ts';
import { commandTable } from './audited.ts';
import { columns } from './columns.ts';
import { group, NOW, type OptionsOf, type Outcome, yes } from './command.ts';
import { deleteBytes, requireNoWriter } from './delete-now.ts';
import { counted } from './import/outcome.ts';
import { grouped } from './progress.ts';
import { onSite, type SitePlace } from './site.ts';

const UNDO = { yes: yes('taken back') };
const REMOVE = { yes: yes('removed'), now: NOW };
const operands = [['<name>', 'of the source']] as const;

/** `source list`, `source remove`, `source adopt`, `source undo` (docs/import.md, Exports that come again). */
export const sourceCommand = (): Command =>
  group(
    ['source', 'the sources from which the history of a site was imported', 'list --site acme'],
    onSite(['list', 'list the sources of a site', '--site acme'], {}, doList, 2),
    onSite(['remove', 'remove all events of a source', 'csv --site acme --yes', ...operands], REMOVE, doRemove, 2),
    onSite(
      ['adopt', 'give a source to the events that were imported without one', 'zendesk --site acme', ...operands],
      {},
      doAdopt,
      2,
    ),
    onSite(
      ['undo', 'take back the last import of a source alone', 'csv --site acme --yes', ...operands],
      UNDO,
      doUndo,
      2,
    ),
  );

async function doList(place: SitePlace): Promise<Outcome> {
  const json = (await listContents(place.context)).map(showContents);
  const header = ['source', 'kind', 'cases', 'events', 'first event', 'last event', 'imported'];
  const rows = json.map(({ source, kind, cases, events, first, last, imported, removing }) => [
    source ?? '(none)',
    removing ? 'being removed' : kind,
    grouped(cases),
    grouped(events),
    ...[first, last, imported].map((moment) => moment ?? ''),
  ]);
  return { text: columns(header, rows, [false, false, true, true]) || 'Nothing has been imported.', json };
}

async function doRemove(
  place: SitePlace,
  options: OptionsOf<typeof REMOVE>,
  [name = '']: readonly string[],
): Promise<Outcome> {
  const { context } = place;
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
  await place.caller.reply(route, { params: { name } });
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
  place: SitePlace,
  options: OptionsOf<typeof UNDO>,
  [name = '']: readonly string[],
): Promise<Outcome> {
  const { context } = place;
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

async function doAdopt(place: SitePlace, _options: object, [name = '']: readonly string[]): Promise<Outcome> {
  const { context } = place;
  const audited = commandTable(place.table, context.site.name, { action: 'update', resource: `sources/${name}` });
  const adopted = await adoptSource({ ...context, table: audited.table }, name);
  if (typeof adopted === 'object') throw new Fault(`${adopted.reason}.`);
  await audited.counted(adopted);
  return { text: `${counted(adopted, 'case')} now of the source ${name}.`, json: { source: name, cases: adopted } };
}
