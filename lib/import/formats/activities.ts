import { Rejection, shown } from '../records/fields.ts';
import { type EventMaker, ruleReader } from './activity-rules.ts';
import {
  type Actor,
  type Attributes,
  actorReader,
  attributesReader,
  createdEvent,
  type FieldDefinition,
  type Origin,
  originReader,
} from './attributes.ts';
import type { Kind } from './case-rows.ts';
import { type Columns, nameOf, type Read, valueReader } from './columns.ts';
import type { ActivitiesMapping, RuleSpec } from './mapping.ts';
import { sortedKey } from './sorted-key.ts';

interface ActivityRow {
  readonly activity: string;
  readonly makers: readonly EventMaker[];
  readonly actor: Actor;
  readonly origin: Origin;
  readonly attributes: Attributes;
}

/** The kind whose rows are (case, activity, time, who): a table maps activities to events (events.md, CSV). */
export function activities(
  columns: Columns,
  mapping: ActivitiesMapping,
  definitions: readonly FieldDefinition[],
): Kind<ActivityRow> {
  const activityOf = valueReader(columns, mapping.activity);
  const name = nameOf(mapping.activity);
  const compile = (rules: readonly RuleSpec[]) => rules.map((rule) => ruleReader(columns, rule, definitions));
  const table = new Map(Object.entries(mapping.activities).map(([activity, rules]) => [activity, compile(rules)]));
  const otherwise = typeof mapping.otherwise === 'string' ? [] : compile(mapping.otherwise);
  const rejectsOthers = mapping.otherwise === 'reject';
  const actor = actorReader(columns, mapping.actor);
  const created = mapping.created ?? { custom_fields: [] };
  const creators = mapping.created?.by === undefined ? undefined : new Set(mapping.created.by);
  const origin = originReader(columns, created);
  const attributes = attributesReader(columns, created, definitions);
  return {
    read: (cells) => {
      const activity = activityOf(cells);
      if (activity === null) throw new Rejection(`${name} is empty`);
      const rules = table.get(activity);
      if (rules === undefined && rejectsOthers && !creators?.has(activity)) {
        throw new Rejection(`${name}: ${shown(activity)} is not among the mapping's activities`);
      }
      const makers = (rules ?? otherwise).flatMap((read: Read<EventMaker | null>) => read(cells) ?? []);
      return { activity, makers, actor: actor(cells), origin: origin(cells), attributes: attributes(cells) };
    },
    fold: (caseKey, rows) => {
      const creator =
        mapping.created === undefined
          ? undefined
          : creators === undefined
            ? rows[0]
            : rows.find(({ value }) => creators.has(value.activity));
      for (const row of rows) {
        const { at, id, value, records } = row;
        if (row === creator) {
          const origin = { at: value.origin.at, actor: { ...value.actor, ...value.origin.actor } };
          records.push(createdEvent(caseKey, `${mapping.source}created`, at, origin, value.attributes, definitions));
        }
        for (const [place, make] of value.makers.entries()) {
          records.push(make({ id: `${id}.${sortedKey([place + 1])}`, at, case: caseKey }, value.actor));
        }
      }
    },
  };
}
