import type { Command } from 'commander';
import type { Site } from '../../lib/access/site-fields.ts';
import type { Place } from '../local/table/place.ts';
import {
  type CliOptions,
  type CommandWords,
  type InPlace,
  line,
  needed,
  type OptionsOf,
  type Outcome,
  onTable,
} from './command.ts';
import { createRouteCaller, type RouteCaller } from './route-caller.ts';
import { requireSite } from './site.ts';

/** An open table, and the site in it that a command names. */
export interface SitePlace extends Place {
  readonly site: Site;
  readonly caller: RouteCaller;
}

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
    return work({ ...place, site, caller }, command.opts<InPlace<O>>(), command.args);
  });
