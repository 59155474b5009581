import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { removeSite } from '../../lib/access/remove-site.ts';
import { addSite, isSiteName, listSites, NEW_SITE, readSite, type Site, setSite } from '../../lib/access/sites.ts';
import { localesFault } from '../../lib/account/site-settings.ts';
import { COUNT_RATED, ratedIn } from '../../lib/console/model/settings/rating-change.ts';
import { ConditionFailed } from '../../lib/store/faults.ts';
import { keys } from '../../lib/store/keys.ts';
import type { Table } from '../../lib/store/table.ts';
import { Fault } from '../fault.ts';
import { createRouteCaller } from './ask.ts';
import { besideOf, commandTable, DEPLOYMENT } from './audited.ts';
import { columns } from './columns.ts';
import { type Outcome, onTable, withExample } from './command.ts';
import { exportSite } from './site-export.ts';
import { type GivenSettings, mergeSettings, settingsShape, withSettings } from './site-settings.ts';

/** `site add`, `site list`, `site set` (docs/interface.md). */
export function siteCommand(): Command {
  const site = withExample(new Command('site').description('the sites of the deployment'), 'site list');

  const add = withSettings(new Command('add').argument('<name>', 'one label of a host name', siteName));
  onTable(
    withExample(add.description('add a site'), 'site add acme --locales en_us,de --default'),
    settingsShape,
    doAdd,
    {
      mayMake: true,
    },
  );

  const list = new Command('list').description('list the sites');
  onTable(withExample(list, 'site list'), {}, ({ table }) => doList(table));

  const set = withSettings(new Command('set').argument('<name>', 'of the site', siteName));
  onTable(
    withExample(set.description('change the given settings of a site'), 'site set acme --time-zone Europe/Berlin'),
    settingsShape,
    doSet,
  );
  const remove = new Command('remove')
    .description('remove a site with its users, topics, macros and history')
    .argument('<name>', 'of the site', siteName)
    .option('--yes', 'do it; without --yes the command only says what would be removed');
  onTable(withExample(remove, 'site remove acme --yes'), { yes: z.boolean().optional() }, doRemove);
  const records = new Command('export')
    .description('print all of a site as records that import takes back: members, topics, macros and history')
    .argument('<name>', 'of the site', siteName)
    .option('--to <file>', 'write to a new file, gzipped if its name ends in .gz (default: standard output)');
  onTable(
    withExample(records, 'site export acme --to acme.ndjson.gz'),
    { to: z.string().optional(), json: z.boolean().optional() },
    async ({ table }, options, [name = '']) => exportSite(table, await requireSite(table, siteName(name)), options),
  );
  return site.addCommand(records).addCommand(remove).addCommand(add).addCommand(list).addCommand(set);
}

async function doAdd({ table }: { readonly table: Table }, given: GivenSettings, [operand = '']: readonly string[]) {
  const name = siteName(operand);
  const site = mergeSettings(
    {
      ...NEW_SITE,
      defaultLocale: given.locales?.[0] ?? NEW_SITE.defaultLocale,
      ...{ name, title: name, hosts: [], added: Date.now() },
    },
    given,
  );
  const chosen = given.default ?? false;
  try {
    const beside = besideOf(name, { action: 'create', resource: 'site', fields: Object.keys(given) });
    await addSite(table, site, { default: chosen, beside });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (await readSite(table, name)) throw new Fault(`The site ${name} exists already: change it with site set.`);
    throw (await hostTaken(table, site)) ?? overtaken(site);
  }
  return { text: `Added the site ${name}: ${site.hosts.join(', ')}.`, json: { ...site, default: chosen } };
}

async function doSet({ table }: { readonly table: Table }, given: GivenSettings, [operand = '']: readonly string[]) {
  const before = await requireSite(table, siteName(operand));
  const lacking = given.locales && localesFault(before, given.locales);
  if (lacking !== undefined) throw new Fault(lacking, 2);
  const after = mergeSettings(before, given);
  const warnings = after.rating === before.rating ? [] : await ratingWarnings(table, before);
  try {
    const beside = besideOf(after.name, { action: 'update', resource: 'site', fields: Object.keys(given) });
    await setSite(table, before, after, { default: given.default ?? false, beside });
  } catch (error) {
    throw error instanceof ConditionFailed ? ((await hostTaken(table, after)) ?? overtaken(after)) : error;
  }
  const listed = (await listSites(table)).find(({ site }) => site.name === after.name);
  return {
    text: [`Changed the site ${after.name}.`, ...warnings].join('\n'),
    json: { ...after, default: listed?.default ?? false, warnings },
  };
}

/** Warns if there are stored ratings on the site's old scale. */
async function ratingWarnings(table: Table, before: Site): Promise<string[]> {
  const asked = { body: Buffer.from(JSON.stringify(COUNT_RATED)) };
  const answer = await createRouteCaller(table, before).json('createReport', asked);
  const rated = ratedIn(counted.parse(answer));
  if (rated === 0) return [];
  return [
    `Warning: cases with ratings of the scale ${before.rating}: ${rated}. They stay as they are and now read as ratings of the other scale.`,
  ];
}

const counted = z.object({ data: z.array(z.array(z.unknown())) });

async function doRemove(
  { table }: { readonly table: Table },
  { yes }: { readonly yes?: boolean | undefined },
  [operand = '']: readonly string[],
): Promise<Outcome> {
  const site = await requireSite(table, siteName(operand));
  if (!yes) {
    const text = `The site ${site.name} would be removed, with its users, topics, macros and history: add --yes to remove it.`;
    return { text, json: { site: site.name, removed: false }, exit: 1 };
  }
  const audited = commandTable(table, DEPLOYMENT, { action: 'delete', resource: `sites/${site.name}` });
  const items = await removeSite(audited.table, site);
  await audited.counted(items);
  return {
    text: `Removed the site ${site.name}. Backups still hold it.`,
    json: { site: site.name, removed: true, items },
  };
}

async function doList(table: Table) {
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
    text: sites.length === 0 ? 'There is no site yet: add one with site add.' : columns(header, rows),
    json: sites.map(({ site, default: chosen }) => ({ ...site, default: chosen })),
  };
}

/** The site with this name, in capitals or not; throws a `Fault` that says how to list the sites. */
export async function requireSite(table: Table, given: string, exit: 1 | 2 = 1): Promise<Site> {
  const name = given.toLowerCase();
  const site = isSiteName(name) ? await readSite(table, name) : undefined;
  if (site) return site;
  throw new Fault(`There is no site ${given}: site list shows the sites, site add makes one.`, exit);
}

const overtaken = ({ name }: Site): Fault =>
  new Fault(
    `Somebody else has just changed the site ${name}; nothing has changed here. Look at site list and try again.`,
  );

async function hostTaken(table: Table, site: Site): Promise<Fault | undefined> {
  const items = await table.batchGet(site.hosts.map(keys.host));
  const other = items.findIndex((item) => item !== undefined && item.site !== site.name);
  if (other < 0) return undefined;
  return new Fault(`The host ${site.hosts[other]} belongs to the site ${String(items[other]?.site)}.`);
}

function siteName(text: string): string {
  const name = text.toLowerCase();
  if (isSiteName(name)) return name;
  throw new InvalidArgumentError('A name has letters a-z, digits and inner hyphens, at most 63.');
}
