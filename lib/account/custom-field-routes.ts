import * as z from 'zod';
import { recordName, refuseTaken } from '../access/records.ts';
import { R_WRITE } from '../access/roles.ts';
import { booleanField, nameField, namesField, wordField } from '../http/fields.ts';
import { type RecordResource, readsOfResource, recordsOf, writesOfResource } from '../http/resource.ts';
import type { Route } from '../http/route.ts';
import { idShape, linkShape } from '../http/shapes.ts';
import { WITHOUT_BLANKS } from '../http/takes.ts';
import type { Item } from '../store/table.ts';
import { DATA_TYPES } from '../vocabulary.ts';

const PATH = '/api/v2/custom_fields';
const OBJECTS = ['case', 'customer', 'company'] as const;
/** What the original calls the object that a field belongs to. */
const TYPES = { ticket: 'case', customer: 'customer', company: 'company' } as const;
const LONGEST_NAME = 64; // code points
const MOST_CHOICES = 1000;

const fieldItem = z.object({
  id: z.int(),
  label: z.string().nullish(),
  active: z.boolean().nullish(),
  object: z.enum(OBJECTS).nullish(),
  data_type: z.enum(DATA_TYPES).nullish(),
  values: z.array(z.string()).nullish(),
});

/** A custom field as its record says; imported ones with values are lists, else texts. */
export function customFieldOf(item: Item) {
  const { id, label, active, object, data_type, values } = fieldItem.parse(item);
  const choices = values ?? [];
  return {
    id,
    name: recordName(item),
    label: label ?? recordName(item),
    active: active ?? true,
    object: object ?? 'case',
    dataType: data_type ?? (choices.length > 0 ? 'list' : 'string'),
    choices,
  } as const;
}

const typeOf = (object: string) => (object === 'case' ? 'ticket' : object);

const CUSTOM_FIELDS: RecordResource = {
  ...recordsOf('custom_field'),
  path: PATH,
  param: 'custom_field_id',
  shape: () =>
    z.object({
      id: idShape(),
      name: z.string(),
      label: z.string(),
      type: z.enum(['ticket', 'customer', 'company']),
      active: z.boolean(),
      data: z.object({ type: z.enum(DATA_TYPES), choices: z.array(z.string()).optional() }),
      object: z.enum(OBJECTS),
      values: z.array(z.string()),
      _links: z.object({ self: linkShape('custom_field') }),
    }),
  show: (item) => {
    const { id, name, label, active, object, dataType, choices } = customFieldOf(item);
    return {
      ...{ id, name, label, type: typeOf(object), active },
      data: { type: dataType, ...(dataType === 'list' && { choices }) },
      ...{ object, values: dataType === 'list' ? choices : [] },
      _links: { self: { href: `${PATH}/${id}`, class: 'custom_field' } },
    };
  },
};

const labelField = { label: nameField(), active: booleanField() };
const choicesField = () => namesField(MOST_CHOICES).min(1, 'invalid');

const STAYS = { message: 'Name and types of a custom field stay: the history of cases has its values.' };

/** Custom fields: read, created and changed; never deleted, as the history of cases has their values. */
export const customFieldRoutes: readonly Route[] = [
  ...readsOfResource(CUSTOM_FIELDS),
  ...writesOfResource(CUSTOM_FIELDS, {
    limit: 'custom fields',
    roles: R_WRITE,
    fields: {
      name: nameField(LONGEST_NAME)
        .refine((name) => !/\s/.test(name), 'invalid')
        .meta({ pattern: WITHOUT_BLANKS }),
      type: wordField(['ticket', 'customer', 'company']),
      ...labelField,
      data: z.object({ type: wordField(DATA_TYPES).optional(), choices: choicesField().optional() }, 'invalid'),
    },
    required: ['name', 'type'],
    examples: [
      { name: 'plan', type: 'company', data: { type: 'list', choices: ['silver', 'gold'] } },
      { label: 'Plan', data: { choices: ['silver', 'gold', 'platinum'] } },
    ],
    deletes: false,
    plan: ({ fields: { name, type, label, active, data }, before, ...asked }) => {
      const known = before && customFieldOf(before);
      const object = known?.object ?? TYPES[type ?? 'ticket'];
      if (known && name !== undefined && name !== known.name) asked.faults.explain('invalid', ['name'], STAYS);
      if (known && type !== undefined && type !== typeOf(known.object))
        asked.faults.explain('invalid', ['type'], STAYS);
      if (known && data?.type !== undefined && data.type !== known.dataType)
        asked.faults.explain('invalid', ['data'], STAYS);
      if (name !== undefined && known === undefined)
        refuseTaken({ ...asked, before }, (item) => recordName(item) === name && customFieldOf(item).object === object);
      const dataType = known?.dataType ?? data?.type ?? 'string';
      const choices = data?.choices === undefined ? undefined : [...new Set(data.choices)];
      const isMissing = known === undefined ? dataType === 'list' && choices === undefined : false;
      const isLost = known?.choices.some((choice) => choices !== undefined && !choices.includes(choice));
      if ((choices !== undefined && dataType !== 'list') || isMissing || isLost)
        asked.faults.explain('invalid', ['data'], { message: 'A list has choices, which stay once they are there.' });
      return {
        ...(known === undefined && { name, object, data_type: dataType }),
        ...(label !== undefined && { label }),
        ...(active !== undefined && { active }),
        ...(choices !== undefined && { values: choices }),
      };
    },
  }),
];
