import * as z from 'zod';
import { columnOr, conditionShape, listed, MEMBER, MEMBERS, sourced, Time, VALUE } from './mapping-values.ts';

/** In an event a text names a column, as everywhere; a number, true, false or null is a constant. */
const constantOr = <S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (written: null | number | boolean | string | z.input<S>) =>
      written === null || typeof written === 'number' || typeof written === 'boolean' ? { value: written } : written,
    columnOr(schema),
  );
const RuleValue = constantOr(sourced(VALUE));
const RuleMember = constantOr(sourced(MEMBER));
const RuleMembers = listed(constantOr(sourced(MEMBERS)));
/** A custom field: the name of one that the mapping declares, or a column with names or ids. */
const FieldOf = z.union([z.string(), sourced(MEMBER)]);

const WHEN = {
  at: Time.optional(), // absent: the event has the time of the row
  when: conditionShape.optional(), // absent: every row of the activity makes the event
};

/** An event that an activity becomes (docs/import/mappings.md, activities). */
const Rule = z.discriminatedUnion('type', [
  z.strictObject({ ...WHEN, type: z.literal('case.status'), to: RuleValue }),
  z.strictObject({
    ...WHEN,
    type: z.literal('case.assigned'),
    agent: RuleMember.optional(),
    group: RuleMember.optional(),
  }),
  z.strictObject({ ...WHEN, type: z.literal('case.priority'), priority: RuleValue }),
  z.strictObject({ ...WHEN, type: z.literal('case.company'), company: RuleMember }),
  z.strictObject({
    ...WHEN,
    type: z.literal('case.labels'),
    add: RuleMembers.optional(),
    remove: RuleMembers.optional(),
    set: RuleMembers.optional(),
  }),
  z.strictObject({ ...WHEN, type: z.literal('case.custom_field'), field: FieldOf, value: RuleValue }),
  z.strictObject({ ...WHEN, type: z.literal('case.handled'), from: Time, to: Time }),
  z.strictObject({ ...WHEN, type: z.literal('macro.applied'), macro: RuleMember }),
  z.strictObject({ ...WHEN, type: z.literal('csat.rated'), score: RuleValue }),
  z.strictObject({ ...WHEN, type: z.literal('interaction'), direction: RuleValue }),
  z.strictObject({ ...WHEN, type: z.enum(['note', 'case.viewed', 'case.deleted']) }),
]);
export const Rules = listed(Rule);

/** A rule as a mapping has it written. */
export type WrittenRule = z.input<typeof Rule>;
export type RuleSpec = z.output<typeof Rule>;
