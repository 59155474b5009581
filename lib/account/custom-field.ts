import * as z from 'zod';
import { recordName, refuseTaken } from '../access/records.ts';
import { R_READ, R_WRITE } from '../access/roles.ts';
import { nameField, namesField, wordField } from '../http/fields.ts';
import { WITHOUT_BLANKS } from '../http/takes.ts';
import { listOf, oneOf, name as readName } from '../json-readers.ts';
import { flag, nameText, type ShownWith, type ThingOf } from '../resource/field.ts';
import { type Asked, resource } from '../resource/resource.ts';
import { recordsOf } from '../resource/storing.ts';
import type { Item } from '../store/table.ts';
import { DATA_TYPES } from '../vocabulary.ts';

const OBJECTS = ['case', 'customer', 'company'] as const;
/** What the original calls the object that a field belongs to. */
const TYPES = { ticket: 'case', customer: 'customer', company: 'company' } as const;
const TYPE_NAMES = ['ticket', 'customer', 'company'] as const;
const LONGEST_NAME = 64; // code points
const MOST_CHOICES = 1000;
const STAYS = { message: 'Name and types of a custom field stay: the history of cases has its values.' };

const typeOf = (object: unknown) => (object === 'case' ? 'ticket' : object);
const choicesField = () => namesField(MOST_CHOICES).min(1, 'invalid');

const FIELDS = {
  name: nameText(
    { required: true },
    nameField(LONGEST_NAME)
      .refine((text) => !/\s/.test(text), 'invalid')
      .meta({ pattern: WITHOUT_BLANKS }),
  ),
  label: nameText({ usual: recordName }),
  type: {
    body: wordField(TYPE_NAMES),
    required: true as const,
    shown: () => z.enum(TYPE_NAMES),
    show: (_: unknown, { thing }: ShownWith) => typeOf(thing.object),
  },
  active: flag({ usual: true }),
  data: {
    body: z.object({ type: wordField(DATA_TYPES).optional(), choices: choicesField().optional() }, 'invalid'),
    shown: () => z.object({ type: z.enum(DATA_TYPES), choices: z.array(z.string()).optional() }),
    show: (_: unknown, { thing: { data_type: type, values } }: ShownWith) => ({
      type,
      ...(type === 'list' && { choices: values }),
    }),
  },
  object: {
    stored: z.enum(OBJECTS),
    usual: 'case',
    record: oneOf(OBJECTS),
    required: true as const,
    shown: () => z.enum(OBJECTS),
  },
  values: {
    stored: z.array(z.string()),
    usual: () => [],
    record: listOf(readName),
    shown: () => z.array(z.string()),
    show: (values: readonly string[], { thing }: ShownWith) => (thing.data_type === 'list' ? values : []),
  },
  data_type: {
    stored: z.enum(DATA_TYPES),
    usual: ({ values }: Item) => (Array.isArray(values) && values.length > 0 ? 'list' : 'string'), // of imported ones
    record: oneOf(DATA_TYPES),
  },
};

/** Custom fields: never deleted, as the history of cases has their values. */
export const CUSTOM_FIELDS = resource({
  one: 'custom_field',
  path: '/api/v2/custom_fields',
  storing: recordsOf('custom_field'),
  roles: R_READ,
  fields: FIELDS,
  writes: {
    limit: 'custom fields',
    roles: R_WRITE,
    deletes: false,
    examples: [
      { name: 'plan', type: 'company', data: { type: 'list', choices: ['silver', 'gold'] } },
      { label: 'Plan', data: { choices: ['silver', 'gold', 'platinum'] } },
    ],
    rule: typesStay,
  },
});

export type StoredCustomField = ThingOf<typeof FIELDS>;

/** Name, types and choices of a field stay. */
function typesStay({ before, sent, ...asked }: Asked<typeof FIELDS>): Partial<StoredCustomField> {
  const { name: sentName, type, data } = sent;
  const { faults } = asked;
  if (before && sentName !== undefined && sentName !== before.name) faults.explain('invalid', ['name'], STAYS);
  if (before && type !== undefined && type !== typeOf(before.object)) faults.explain('invalid', ['type'], STAYS);
  if (before && data?.type !== undefined && data.type !== before.data_type)
    faults.explain('invalid', ['data', 'type'], STAYS);
  const object = before?.object ?? TYPES[type ?? 'ticket'];
  if (sentName !== undefined && before === undefined)
    refuseTaken(
      { ...asked, before },
      (item) => recordName(item) === sentName && CUSTOM_FIELDS.parse(item).object === object,
    );
  const dataType = before?.data_type ?? data?.type ?? 'string';
  const values = data?.choices === undefined ? undefined : [...new Set(data.choices)];
  const isMissing = before === undefined && dataType === 'list' && values === undefined;
  const isLost = values !== undefined && before?.values.some((choice) => !values.includes(choice));
  if ((values !== undefined && dataType !== 'list') || isMissing || isLost)
    faults.explain('invalid', ['data', 'choices'], { message: 'A list has choices, which stay once they are there.' });
  return {
    ...(before === undefined && { object, data_type: dataType }),
    ...(values !== undefined && { values }),
  };
}
