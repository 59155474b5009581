import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { changeAuthority } from '../../lib/access/authority.ts';
import { removeSite } from '../../lib/access/remove-site.ts';
import { NEW_SITE, type Site } from '../../lib/access/site-fields.ts';
import { isSiteName, listSites, readSite } from '../../lib/access/sites.ts';
import { localesFault, NO_ENGINE } from '../../lib/account/site-settings.ts';
import { COUNT_RATED, ratedIn } from '../../lib/console/model/settings/rating-change.ts';
import type { ImportContext } from '../../lib/import/import-rows.ts';
import { readSettings } from '../../lib/settings.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { keys } from '../../lib/store/keys.ts';
import { replan } from '../../lib/store/replan.ts';
import type { Table } from '../../lib/store/table.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';
import { type CommandEntry, commandTable, DEPLOYMENT } from './audited.ts';
import { columns } from './columns.ts';
import {
  type CliOptions,
  type CommandWords,
  group,
  type InPlace,
  line,
  needed,
  type OptionsOf,
  type Outcome,
  onTable,
  tableCommand,
  yes,
} from './command.ts';
import { createRouteCaller, type RouteCaller } from './route-caller.ts';
import { exportSite } from './site-export.ts';
import { mergeSettings, SETTINGS, settingsOf } from './site-settings.ts';

const REMOVE = { yes: yes('removed') };
const EXPORT = {
  to: line('<file>', 'write to a new file, gzipped if its name ends in .gz (default: standard output)'),
};
type Settings = OptionsOf<typeof SETTINGS>;
const operands = [['<name>', 'of the site', siteName]] as const;

/** `site add`, `site list`, `site set` (docs/interface.md). */
export const siteCommand = (): Command =>
  group(
    ['site', 'the sites of the deployment', 'list'],
    tableCommand(
      [
        'export',
        'print all of a site as records that import takes back: members, topics, macros and history',
        'acme --to acme.ndjson.gz',
        ...operands,
      ],
      EXPORT,
      async ({ table }, options, [name = '']) =>
        exportSite(contextOf(table, await requireSite(table, siteName(name))), options),
    ),
    tableCommand(
      ['remove', 'remove a site with its users, topics, macros and history', 'acme --yes', ...operands],
      REMOVE,
      doRemove,
    ),
    tableCommand(
      ['add', 'add a site', 'acme --locales en_us,de --default', ['<name>', 'one label of a host name', siteName]],
      SETTINGS,
      doAdd,
      { mayMake: true },
    ),
    tableCommand(['list', 'list the sites', ''], {}, doList),
    tableCommand(
      ['set', 'change the given settings of a site', 'acme --time-zone Europe/Berlin', ...operands],
      SETTINGS,
      doSet,
    ),
  );

/** Refuses an engine that is not there; of a table elsewhere its deployment knows. */
function requireEngine({ folder }: Place, { engine }: ReturnType<typeof settingsOf>): void {
  if (engine === 'warehouse' && folder !== undefined && readSettings().ATHENA_WORKGROUP === undefined)
    throw new Fault(NO_ENGINE, 2);
}

async function doAdd(place: Place, settings: Settings, [operand = '']: readonly string[]): Promise<Outcome> {
  const { table } = place;
  const options = settingsOf(settings);
  requireEngine(place, options);
  const name = siteName(operand);
  const first = options.locales?.[0] ?? NEW_SITE.defaultLocale;
  const blank = { ...NEW_SITE, defaultLocale: first, name, title: name, hosts: [], added: Date.now() };
  const site = mergeSettings(blank, options);
  const isDefault = options.default ?? false;
  const entry: CommandEntry = { action: 'create', resource: 'site', fields: Object.keys(options) };
  await createRouteCaller(table, site).change(entry, async (context) => {
    if (await readSite(table, name)) throw new Fault(`The site ${name} exists already: change it with site set.`);
    await requireFreeHosts(table, site);
    await changeAuthority(context, { site: { before: undefined, after: site, isDefault } });
  });
  return { text: `Added the site ${name}: ${site.hosts.join(', ')}.`, json: { ...site, default: isDefault } };
}

async function doSet(place: Place, settings: Settings, [operand = '']: readonly string[]): Promise<Outcome> {
  const { table } = place;
  const options = settingsOf(settings);
  requireEngine(place, options);
  const name = siteName(operand);
  const site = await requireSite(table, name);
  const caller = createRouteCaller(table, site);
  const warnings = (options.rating ?? site.rating) === site.rating ? [] : await ratingWarnings(caller, site);
  const entry: CommandEntry = { action: 'update', resource: 'site', fields: Object.keys(options) };
  const changed = await caller.change(entry, async (context) => {
    const before = await requireSite(table, name);
    const lacking = options.locales ? localesFault(before, options.locales) : undefined;
    if (lacking !== undefined) throw new Fault(lacking, 2);
    const after = mergeSettings(before, options);
    await requireFreeHosts(table, after);
    await changeAuthority(context, { site: { before, after, isDefault: options.default ?? false } });
    return after;
  });
  const listed = (await listSites(table)).find((one) => one.site.name === name);
  return {
    text: [`Changed the site ${name}.`, ...warnings].join('\n'),
    json: { ...changed, default: listed?.default ?? false, warnings },
  };
}

/** Warns if there are stored ratings on the site's old scale. */
async function ratingWarnings(caller: RouteCaller, before: Site): Promise<string[]> {
  const asked = { body: Buffer.from(JSON.stringify(COUNT_RATED)) };
  const answer = await caller.json('createReport', asked);
  const rated = ratedIn(counted.parse(answer));
  if (rated === 0) return [];
  return [
    `Warning: cases with ratings of the scale ${before.rating}: ${rated}. They stay as they are and now read as ratings of the other scale.`,
  ];
}

const counted = z.object({ data: z.array(z.array(z.unknown())) });

async function doRemove(
  { table }: Place,
  { yes: isSure }: OptionsOf<typeof REMOVE>,
  [operand = '']: readonly string[],
): Promise<Outcome> {
  const site = await requireSite(table, siteName(operand));
  if (!isSure) {
    const text = `The site ${site.name} would be removed, with its users, topics, macros and history: add --yes to remove it.`;
    return { text, json: { site: site.name, removed: false }, exit: 1 };
  }
  const audited = commandTable(table, DEPLOYMENT, { action: 'delete', resource: `sites/${site.name}` });
  const items = await replan(async () => removeSite(audited.table, await requireSite(table, site.name)));
  await audited.counted(items);
  return {
    text: `Removed the site ${site.name}. Backups still hold it.`,
    json: { site: site.name, removed: true, items },
  };
}

async function doList({ table }: Place) {
  const sites = await listSites(table);
  const rows = sites.map(({ site, default: chosen }) => [
    site.name,
    chosen ? 'yes' : '',
    site.locales.join(','),
    site.timeZone,
    site.rating,
    site.weekStart,
    site.hosts.join(', '),
  ]);
  const header = ['site', 'default', 'locales', 'zone', 'rating', 'week starts', 'hosts'];
  return {
    text: columns(header, rows) || 'There is no site yet: add one with site add.',
    json: sites.map(({ site, default: chosen }) => ({ ...site, default: chosen })),
  };
}

/** An open table, and the site in it that a command names. */
export interface SitePlace extends Place {
  readonly site: Site;
  readonly caller: RouteCaller;
  readonly context: ImportContext; // of work that no route does
}

/** A site's collections, time and ids, for work that no route does. */
const contextOf = (table: Table, site: Site): ImportContext => ({
  ...{ table, site, collections: createCollections(), clock: Date.now, newId: randomUUID },
});

export const SITE = { site: needed(line('<name>', 'name of the site')) };

/** Declares a command on a site, which `--site` names. `exit`: of one that names no site. */
export const onSite = <O extends CliOptions>(
  words: CommandWords,
  options: O,
  work: (place: SitePlace, options: InPlace<O>, operands: readonly string[]) => Promise<Outcome>,
  exit: 1 | 2 = 1,
): Command =>
  onTable(words, { ...SITE, ...options }, async (place, command) => {
    const site = await requireSite(place.table, command.opts<OptionsOf<typeof SITE>>().site, exit);
    const caller = createRouteCaller(place.table, site);
    return work(
      { ...place, site, caller, context: contextOf(place.table, site) },
      command.opts<InPlace<O>>(),
      command.args,
    );
  });

/** The site with this name, in capitals or not; throws a `Fault` that says how to list the sites. */
export async function requireSite(table: Table, named: string, exit: 1 | 2 = 1): Promise<Site> {
  const name = named.toLowerCase();
  const site = isSiteName(name) ? await readSite(table, name) : undefined;
  if (site) return site;
  throw new Fault(`There is no site ${named}: site list shows the sites, site add makes one.`, exit);
}

/** Throws a `Fault` if a host belongs to another site. */
async function requireFreeHosts(table: Table, { name, hosts }: Site): Promise<void> {
  const items = await table.batchGet(hosts.map(keys.host));
  const other = items.findIndex((item) => item !== undefined && item.site !== name);
  if (other >= 0) throw new Fault(`The host ${hosts[other]} belongs to the site ${String(items[other]?.site)}.`);
}

function siteName(text: string): string {
  const name = text.toLowerCase();
  if (isSiteName(name)) return name;
  throw new InvalidArgumentError('A name has letters a-z, digits and inner hyphens, at most 63.');
}
