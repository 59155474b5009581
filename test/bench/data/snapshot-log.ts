import { type Chance, createChance } from './chance.ts';
import { MADE } from './history.ts';

/** The mapping of the CSV below: that of a real incident log, which the CSV imitates. */
export const SNAPSHOT_MAPPING = 'test/data/incident-log.mapping.json';

const SEED = 20_160_229;
const START = Date.UTC(2016, 1, 29) / 60_000; // minutes since 1970
const MINUTES = 365 * 24 * 60;
const STATES = ['New', 'Active', 'Awaiting User Info', 'Resolved', 'Closed'] as const;
const IMPACTS = ['1 - High', '2 - Medium', '3 - Low'] as const;
const PRIORITIES = ['1 - Critical', '2 - High', '3 - Moderate', '4 - Low'] as const;
const NAMED = [
  ...['number', 'incident_state', 'sys_mod_count', 'opened_by', 'opened_at', 'sys_updated_by', 'sys_updated_at'],
  ...['contact_type', 'location', 'category', 'subcategory', 'impact', 'urgency', 'priority'],
  ...['assignment_group', 'assigned_to'],
] as const;
const FILLERS = Array.from({ length: 36 - NAMED.length }, (_, place) => `other_${place + 1}`);

/**
 * A CSV of `count` snapshots: about six rows for each case, one after the other as in the real log, in 36 columns, of
 * which the mapping names 16. The same text for the same count.
 */
export function* madeSnapshots(count: number): Generator<string> {
  const chance = createChance(SEED);
  yield `${[...NAMED, ...FILLERS].join(',')}\n`;
  for (let rows = 0, number = 1; rows < count; number += 1) {
    const updates = Math.min(count - rows, chance.spread(2, 13));
    yield* madeCase(number, updates, START + Math.floor((rows / count) * MINUTES), chance);
    rows += updates;
  }
}

function* madeCase(number: number, updates: number, opened: number, chance: Chance): Generator<string> {
  const openedBy = `Opened by  ${chance.below(200)}`;
  const attributes = [
    ...[chance.hits(0.9) ? 'Phone' : 'Email', `Location ${chance.skewed(220)}`],
    ...[`Category ${chance.skewed(MADE.categories)}`, `Subcategory ${chance.skewed(240)}`],
    ...[IMPACTS[chance.below(3)], IMPACTS[chance.below(3)], PRIORITIES[chance.below(4)]],
  ];
  let group = `Group ${chance.skewed(MADE.groups)}`;
  let agent = '?';
  let now = opened;
  const others = FILLERS.map((_, place) => (place % 3 === 0 ? '?' : `Value ${chance.below(1000)}`));
  for (let update = 0; update < updates; update += 1) {
    const state = STATES[Math.min(STATES.length - 1, Math.floor((update * STATES.length) / updates))];
    if (update === 1 || chance.hits(0.12)) agent = `Resolver ${chance.skewed(MADE.agents)}`;
    if (chance.hits(0.1)) group = `Group ${chance.skewed(MADE.groups)}`;
    const cells = [
      ...[`INC${String(number).padStart(7, '0')}`, state, update, openedBy, minute(opened)],
      ...[`Updated by ${chance.skewed(900)}`, minute(now), ...attributes, group, agent, ...others],
    ];
    yield `${cells.join(',')}\n`;
    now += chance.spread(1, 3000);
  }
}

/** A time as the log writes it: `29/2/2016 01:16`. */
function minute(at: number): string {
  const time = new Date(at * 60_000);
  const clock = time.toISOString().slice(11, 16);
  return `${time.getUTCDate()}/${time.getUTCMonth() + 1}/${time.getUTCFullYear()} ${clock}`;
}
