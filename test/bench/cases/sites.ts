import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FUNCTIONS } from '../../../infra/stack/functions.ts';
import { NEW_SITE } from '../../../lib/access/site-fields.ts';
import { newUsage } from '../../../lib/store/usage.ts';
import { type DueExport, doDueExport } from '../../../lib/warehouse/due.ts';
import { openFolder } from '../../../lib/warehouse/folder.ts';
import type { WarehousePlace } from '../../../lib/warehouse/place.ts';
import { loadEvents } from '../../support/generators/history.ts';
import { addSite } from '../../support/service/stored-access.ts';
import { madeEvents } from '../data/history.ts';
import { print } from '../figures.ts';
import { engineTable } from '../service.ts';
import { PRICES, priceOfWork } from './prices.ts';

const MILLION = 1_000_000;
const NIGHT = 10_000; // sites
const EVENTS_SCALE = 0.0001; // about a thousand facts a site: what a night costs does not depend on them if nothing changed

/** The calls of a bucket. */
interface Calls {
  gets: number;
  puts: number; // and lists, which cost the same
}

/**
 * Exports each of many sites as the nights do, and computes what a night of 10,000 costs. Half of the sites and all of
 * them show whether it is linear: `--sites 200`.
 */
export async function bench(words: readonly string[]): Promise<string> {
  const { values } = parseArgs({ args: [...words], options: { sites: { type: 'string', default: '200' } } });
  const most = Number(values.sites);
  const { table, end } = await engineTable();
  const to = mkdtempSync(join(tmpdir(), 'bench-sites-'));
  try {
    const events = [...madeEvents(EVENTS_SCALE)];
    print(
      '| sites | night | ms a site | read units a site | write units a site | gets a site | puts a site | $ for 10,000 |',
    );
    print('|---|---|---|---|---|---|---|---|');
    let dollars = 0;
    for (const sites of [most / 2, most]) {
      for (let number = sites === most ? most / 2 : 0; number < sites; number += 1) {
        const site = {
          ...NEW_SITE,
          name: `site-${number}`,
          title: `Site ${number}`,
          hosts: [`site-${number}.localhost`],
        };
        await addSite(table, site);
        await loadEvents({ table, site, clock: Date.now, newId: randomUUID }, events);
      }
      await night(sites, 'after changes');
      dollars = await night(sites, 'nothing changed');
    }
    return `a night of 10,000 sites costs $${dollars.toFixed(2)} where nothing changed`;

    async function night(sites: number, name: string): Promise<number> {
      const usage = newUsage();
      const calls: Calls = { gets: 0, puts: 0 };
      const begun = performance.now();
      const due: DueExport[] = [{ because: name }];
      const tools = {
        ...{ table: table.metered(usage), clock: Date.now, newId: randomUUID },
        send: async (more: readonly DueExport[]) => void due.push(...more),
        place: async () => counted(await openFolder(to), calls),
      };
      for (const one of due) await doDueExport(tools, one); // `due` grows by what the first sends
      await doDueExport(tools, { because: name, list: true });
      const each = (count: number) => count / sites;
      const use = {
        ms: each(performance.now() - begun),
        memory: FUNCTIONS.warehouse.memory,
        readUnits: each(usage.readUnits),
        writeUnits: each(usage.writeUnits),
      };
      const bucket = (each(calls.gets) * PRICES.bucketGets + each(calls.puts) * PRICES.bucketPuts) / MILLION;
      const queue = (3 * PRICES.queueRequests) / MILLION; // sent, received, deleted
      const dollars = (priceOfWork(use) + bucket + queue) * NIGHT;
      const figures = [use.ms, use.readUnits, use.writeUnits, each(calls.gets), each(calls.puts)];
      print(`| ${sites} | ${name} | ${figures.map((value) => value.toFixed(1)).join(' | ')} | ${dollars.toFixed(2)} |`);
      return dollars;
    }
  } finally {
    await end();
    rmSync(to, { recursive: true, force: true });
  }
}

/** A folder that counts the calls that a bucket would be asked for. */
function counted(place: WarehousePlace, calls: Calls): WarehousePlace {
  const get =
    <A extends readonly unknown[], R>(run: (...args: A) => R) =>
    (...args: A): R => {
      calls.gets += 1;
      return run(...args);
    };
  const put =
    <A extends readonly unknown[], R>(run: (...args: A) => R) =>
    (...args: A): R => {
      calls.puts += 1;
      return run(...args);
    };
  return {
    ...place,
    isBucket: true,
    read: get(place.read),
    put: put(place.put),
    write: put(place.write),
    list: put(place.list),
  };
}
