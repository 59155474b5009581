import { Rejection, shown } from '../../json-readers.ts';
import type { Telling } from '../../vocabulary.ts';
import { type EventMaker, ruleReader, ruleTells } from './activity-rules.ts';
import {
  type Actor,
  actorReader,
  attributesReader,
  type CaseCreation,
  createdEvent,
  creationReader,
  type FieldDefinition,
  NO_ATTRIBUTES,
  type RowAttributes,
} from './attributes.ts';
import { attempt, type MappingKind } from './case-rows.ts';
import { type Columns, type CsvCells, type Read, sourceLabel, valueReader } from './columns.ts';
import { type ActivitiesMapping, activityPattern } from './mapping.ts';
import type { RuleSpec } from './mapping-rules.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import { sortedKey } from './sorted-key.ts';
import type { Has } from './told-values.ts';

interface ActivityRow {
  readonly activity: string | null; // null: refused
  readonly makers: readonly EventMaker[];
  readonly actor: Actor;
  readonly origin: CaseCreation;
  readonly attributes: RowAttributes;
}

/** What activities tell: what the events tell that they become. */
export function activitiesTell(
  { created, activities: table, otherwise }: ActivitiesMapping,
  has: Has,
): readonly Telling[] {
  const rules = [...Object.values(table), ...(typeof otherwise === 'string' ? [] : [otherwise])].flat();
  return [
    ...(created === undefined ? [] : (['creations'] as const)),
    ...(has(created?.labels) ? (['labels'] as const) : []),
    ...rules.flatMap((rule) => ruleTells(rule, has)),
  ];
}

/**
 * The kind `activities`: a row has case, activity, time and actor, and a table maps activities to events
 * (docs/import/mappings.md).
 */
export function activities(
  columns: Columns,
  mapping: ActivitiesMapping,
  definitions: readonly FieldDefinition[],
): MappingKind<ActivityRow> {
  const activityOf = valueReader(columns, mapping.activity);
  const name = sourceLabel(mapping.activity);
  const creators = mapping.created?.by === undefined ? undefined : new Set(mapping.created.by);
  const rulesOf = activityRules(columns, mapping, { definitions, name, creators });
  const actor = actorReader(columns, mapping.actor);
  const created = mapping.created ?? { custom_fields: [] };
  const origin = creationReader(columns, created);
  const attributes = attributesReader(columns, created, definitions);
  function makersOf(cells: CsvCells, activity: string | null): EventMaker[] {
    if (activity === null) throw new Rejection(`${name} is empty`);
    return rulesOf(activity).flatMap((read) => read(cells) ?? []);
  }

  return {
    read: (cells, refuse) => {
      const activity = attempt(activityOf, cells, refuse, null);
      return {
        activity,
        makers: attempt(() => makersOf(cells, activity), cells, refuse, []),
        actor: attempt(actor, cells, refuse, {}),
        origin: attempt(origin, cells, refuse, { at: null, actor: {} }),
        attributes: attempt(attributes, cells, refuse, NO_ATTRIBUTES),
      };
    },
    fold: (caseKey, rows) => {
      const creator =
        mapping.created === undefined
          ? undefined
          : creators === undefined
            ? rows[0]
            : rows.find(({ value }) => value.activity !== null && creators.has(value.activity));
      for (const row of rows) {
        const { at, id, value, records } = row;
        if (row === creator) {
          const origin = { at: value.origin.at, actor: { ...value.actor, ...value.origin.actor } };
          records.push(
            createdEvent({ caseKey, id: `${mapping.source}created`, at }, origin, value.attributes, definitions),
          );
        }
        for (const [index, make] of value.makers.entries()) {
          records.push(make({ id: `${id}.${sortedKey([index + 1])}`, at, case: caseKey }, value.actor));
        }
      }
    },
  };
}

type Rules = readonly Read<EventMaker | null>[];

/**
 * Returns a function that finds the rules of an activity: by name, else the first pattern that fits, else `otherwise`.
 */
function activityRules(
  columns: Columns,
  { activities: given, otherwise }: ActivitiesMapping,
  setting: {
    readonly definitions: readonly FieldDefinition[];
    readonly name: string;
    readonly creators: ReadonlySet<string> | undefined;
  },
): (activity: string) => Rules {
  const compile = (rules: readonly RuleSpec[]): Rules =>
    rules.map((rule) => ruleReader(columns, rule, setting.definitions));
  const named = new Map<string, Rules>();
  const patterns: { readonly key: string; readonly matches: Pattern['matches']; readonly rules: Rules }[] = [];
  for (const [key, rules] of Object.entries(given)) {
    const pattern = activityPattern(key);
    if (pattern === undefined) named.set(key, compile(rules));
    else patterns.push({ key, matches: compilePattern(pattern).matches, rules: compile(rules) });
  }
  const others = typeof otherwise === 'string' ? [] : compile(otherwise);
  const unused = new Set(Object.keys(given));
  columns.unused.set('activities', unused);
  return (activity) => {
    const exact = named.get(activity);
    const pattern = exact === undefined ? patterns.find(({ matches }) => matches(activity)) : undefined;
    unused.delete(pattern?.key ?? activity);
    const rules = exact ?? pattern?.rules;
    if (rules !== undefined) return rules;
    if (otherwise === 'reject' && !setting.creators?.has(activity)) {
      throw new Rejection(`${setting.name}: ${shown(activity)} is not among the mapping's activities`);
    }
    if (otherwise === 'ignore') columns.findings.ignore(`${setting.name} ${activity}`);
    return others;
  };
}
