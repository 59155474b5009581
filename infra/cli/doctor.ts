import { existsSync } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Site } from '../../lib/access/site-fields.ts';
import { listSites } from '../../lib/access/sites.ts';
import { listUsers } from '../../lib/access/users.ts';
import { maxFreshSegments } from '../../lib/history/compact.ts';
import { readManifest } from '../../lib/history/storage/commit.ts';
import { readSettings } from '../../lib/settings.ts';
import type { Table } from '../../lib/store/table.ts';
import { isDemoUser } from '../demo/users.ts';
import { commitLeft, lookInto } from '../local/table/damage.ts';
import { RESERVE, TABLE_FILE } from '../local/table/data-folder.ts';
import { acceptsAnybody, dataFolder, isEmbedded, type Place, type PlaceOptions } from '../local/table/place.ts';
import { line, openForCommand, placeCommand } from './command.ts';
import { describeFault } from './explain.ts';
import { counted } from './import/outcome.ts';

/** The result of one check. */
interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly says: string;
  readonly todo?: string; // what to do about it
}

const SUPPORTED_NODE = 22; // the oldest release of Node with security fixes
const SCARCE = 2 ** 30; // bytes of free disk below which imports may fail
const MARKS = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' } as const;

/** `doctor`: checks a data folder, a table or a deployment, and says what to do. Changes nothing. */
export const doctorCommand = (): Command =>
  placeCommand(
    ['doctor', 'look for problems of the data folder or the table, and say what to do', '--data-dir ./data'],
    {
      backups: line('<folder>', 'a folder of copies, one a day, of which the newest must be whole and of today'),
    },
    async (options) => {
      const findings = [...(await examine(options)), ...(await backupFindings(options.backups))];
      const text = findings.map(({ what, state, says, todo }) =>
        [`${MARKS[state]} ${what}: ${says}`, ...(todo === undefined ? [] : [`        → ${todo}`])].join('\n'),
      );
      const exit = findings.some(({ state }) => state === 'fault') ? 1 : 0;
      return { text: text.join('\n'), json: findings, exit };
    },
  );

const DAILY = 26 * 3_600_000; // ms; a copy of each day, and some time to make it

/** Whether the newest copy in a folder of copies is there, of the last day, and readable item for item. */
async function backupFindings(folder: string | undefined): Promise<Finding[]> {
  if (folder === undefined) return [];
  const what = 'backups';
  const todo = 'systemctl status support-backup.timer; journalctl -u support-backup (docs/server.md)';
  const names = await readdir(folder).catch(() => []);
  const files = names.map((name) => join(folder, name, TABLE_FILE)).filter(existsSync);
  const copies = await Promise.all(files.map(async (file) => ({ file, at: (await stat(file)).mtimeMs })));
  const newest = copies.sort((a, b) => b.at - a.at)[0];
  if (newest === undefined) return [{ what, state: 'warning', says: `${folder} has no copy`, todo }];
  const hours = Math.round((Date.now() - newest.at) / 3_600_000);
  const says = `${folder} has ${counted(copies.length, 'backup')}, the newest of ${counted(hours, 'hour')} ago`;
  const { damage } = await lookInto(newest.file, { items: true });
  if (damage !== undefined) return [{ what, state: 'fault', says: `${newest.file} is damaged: ${damage}`, todo }];
  return [Date.now() - newest.at > DAILY ? { what, state: 'warning', says, todo } : { what, state: 'ok', says }];
}

async function examine(options: PlaceOptions): Promise<Finding[]> {
  const node = nodeFinding(process.versions.node);
  const missing = missingFolder(options);
  if (missing) return [node, missing];
  const file = await fileFindings(options);
  if (file.some(({ state }) => state === 'fault')) return [node, ...file];
  let place: Place;
  try {
    place = await openForCommand(options);
  } catch (error) {
    return [node, { what: 'store', state: 'fault', says: describeFault(error) }];
  }
  try {
    const ofTable = await tableFindings(place.table);
    return [
      node,
      ...file,
      ...(await diskFindings(place, options)),
      ...ofTable,
      ...(await deployedFindings(place, options)),
    ];
  } finally {
    await place.close();
  }
}

function nodeFinding(version: string): Finding {
  const what = 'Node';
  if (Number(version.split('.')[0]) >= SUPPORTED_NODE) return { what, state: 'ok', says: version };
  return { what, state: 'warning', says: `${version} gets no more security fixes`, todo: 'Move to Node 24.' };
}

/** A fault if the data folder does not exist; it must not be opened, as that would create it. */
function missingFolder(options: PlaceOptions): Finding | undefined {
  const settings = readSettings();
  const folder = dataFolder(options, settings);
  if (!isEmbedded(options, settings) || existsSync(folder)) return undefined;
  const todo = 'Name another folder with --data-dir, or make this one: npx support start';
  return { what: 'data folder', state: 'fault', says: `${folder} does not exist`, todo };
}

/** Whether every item in the file of a data folder can be read. */
async function fileFindings(options: PlaceOptions): Promise<Finding[]> {
  const settings = readSettings();
  const file = join(dataFolder(options, settings), TABLE_FILE);
  if (!isEmbedded(options, settings) || !existsSync(file)) return [];
  const what = 'table file';
  const left = await commitLeft(file);
  const { damage, commit } = await lookInto(file, { items: true });
  if (damage !== undefined)
    return [{ what, state: 'fault', says: `${file} is damaged: ${damage}`, todo: 'Put back a copy of it.' }];
  if (commit >= left) return [{ what, state: 'ok', says: 'every item can be read' }];
  const says = `its last commit is number ${commit}, and was ${left} when it was closed: the latest changes are missing`;
  return [{ what, state: 'warning', says, todo: 'If nobody put back a copy, its header is damaged: put one back.' }];
}

async function diskFindings({ folder }: Place, options: PlaceOptions): Promise<Finding[]> {
  if (folder === undefined || !isEmbedded(options, readSettings())) return [];
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const says = `${folder}, ${(free / 2 ** 30).toFixed(1)} GB free`;
  if (free < RESERVE) {
    const todo = `Free disk space: with less than ${RESERVE / 2 ** 20} MB the service only reads.`;
    return [{ what: 'data folder', state: 'fault', says, todo }];
  }
  if (free >= SCARCE) return [{ what: 'data folder', state: 'ok', says }];
  return [{ what: 'data folder', state: 'warning', says, todo: 'Free disk space: imports and folding need it.' }];
}

/** What a deployment keeps around its table; nothing of a data folder, or of a local engine, which has none of it. */
async function deployedFindings({ table }: Place, options: PlaceOptions): Promise<Finding[]> {
  const settings = readSettings();
  const endpoint = options.endpoint ?? settings.DYNAMODB_ENDPOINT;
  if (isEmbedded(options, settings) || acceptsAnybody(endpoint, settings)) return [];
  const what = 'deployment';
  const [{ connect }, { readDeployment, troublesOf }] = await Promise.all([
    import('../../lib/store/client.ts'),
    import('./deployment.ts'),
  ]);
  const client = connect({ endpoint });
  try {
    const sites = (await listSites(table)).map(({ site }) => site);
    const deployment = await readDeployment(client, {
      name: table.name,
      sites,
      ...(endpoint !== undefined && { endpoint }),
    });
    const troubles = troublesOf(deployment, table.name, Date.now());
    const looked = 'backups, TTL, alarms, dead letters and exports';
    if (troubles.length === 0) return [{ what, state: 'ok', says: `${deployment.stage ?? 'no stage'}: ${looked}` }];
    return troubles.map((trouble) => ({ ...trouble, state: 'warning' }));
  } catch (error) {
    const todo = 'docs/operations.md#who-may-do-what has the rights that it needs.';
    return [{ what, state: 'warning', says: `it cannot be looked at: ${describeFault(error)}`, todo }];
  } finally {
    client.destroy();
  }
}

async function tableFindings(table: Table): Promise<Finding[]> {
  try {
    const begun = performance.now();
    const sites = await listSites(table);
    const ms = Math.round(performance.now() - begun);
    const answers: Finding = { what: 'table', state: 'ok', says: `${table.name} answers in ${ms} ms` };
    if (sites.length === 0) {
      const todo = 'Add one: npx support site add NAME --default';
      return [answers, { what: 'sites', state: 'warning', says: 'there is none', todo }];
    }
    const some: Finding[] = [answers];
    if (!sites.some((entry) => entry.default)) {
      const todo = 'Name one, unless every client uses the host of its site: npx support site set NAME --default';
      some.push({ what: 'default site', state: 'warning', says: 'none: other hosts get 404', todo });
    }
    for (const { site } of sites) some.push(...(await siteFindings(table, site)));
    return some;
  } catch (error) {
    return [{ what: 'table', state: 'fault', says: describeFault(error) }];
  }
}

async function siteFindings(table: Table, site: Site): Promise<Finding[]> {
  const what = `site ${site.name}`;
  const users = (await listUsers(table, site.name)).filter(({ deleted }) => !deleted);
  const manifest = await readManifest(table, site.name);
  const facts = manifest.segments.reduce((sum, segment) => sum + segment.facts, 0);
  const fresh = manifest.segments.filter(({ settled }) => !settled).length;
  const findings: Finding[] = [
    {
      what,
      state: 'ok',
      says: `${counted(users.length, 'user')}, ${counted(facts, 'fact')} in ${counted(manifest.segments.length, 'segment')}`,
    },
  ];
  if (users.length === 0) {
    const todo = `npx support user add --site ${site.name} --login you@example.com --role Administrator`;
    findings.push({ what, state: 'warning', says: 'nobody can sign in', todo });
  }
  if (users.some(isDemoUser)) {
    const todo = `Before others may reach it: npx support user remove --site ${site.name} --demo`;
    findings.push({ what, state: 'warning', says: 'has demo users, whose password everybody knows', todo });
  }
  if (fresh > maxFreshSegments(manifest)) {
    const todo = `Is the service running? Fold them by hand: npx support compact --site ${site.name}`;
    findings.push({ what, state: 'warning', says: `${counted(fresh, 'segment')} to be folded`, todo });
  }
  return findings;
}
