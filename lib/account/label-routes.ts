import * as z from 'zod';
import { rankOf, recordName, refuseTaken } from '../access/records.ts';
import { R_READ, R_WRITE } from '../access/roles.ts';
import { booleanField, nameField, textField, wordField } from '../http/fields.ts';
import {
  listThings,
  type RecordResource,
  readsOfResource,
  recordsOf,
  sortQuery,
  writesOfResource,
} from '../http/resource.ts';
import { type Route, route } from '../http/route.ts';
import { idShape, linkShape, pageShape } from '../http/shapes.ts';
import { keys } from '../store/keys.ts';
import type { Item } from '../store/table.ts';
import { LABEL_COLORS, LABEL_TYPES } from '../vocabulary.ts';

const PATH = '/api/v2/labels';

const labelItem = z.object({
  id: z.int(),
  description: z.string().nullish(),
  enabled: z.boolean().nullish(),
  types: z.array(z.enum(LABEL_TYPES)).nullish(),
  color: z.enum(LABEL_COLORS).nullish(),
});

const typesOf = (item: Item): readonly string[] => labelItem.parse(item).types ?? ['case'];

const LABELS: RecordResource = {
  ...recordsOf('label'),
  path: PATH,
  param: 'label_id',
  shape: () =>
    z.object({
      id: idShape(),
      name: z.string(),
      description: z.string().nullable(),
      enabled: z.boolean(),
      types: z.array(z.enum(LABEL_TYPES)),
      color: z.enum(LABEL_COLORS),
      active: z.boolean().meta({ description: 'The same as `enabled`' }),
      position: z.int().positive(),
      _links: z.object({ self: linkShape('label') }),
    }),
  show: (item, collection) => {
    const { id, description, enabled, types, color } = labelItem.parse(item);
    return {
      id,
      name: recordName(item),
      description: description ?? null,
      enabled: enabled ?? true,
      types: types ?? ['case'],
      color: color ?? 'default',
      active: enabled ?? true,
      position: rankOf(collection, id),
      _links: { self: { href: `${PATH}/${id}`, class: 'label' } },
    };
  },
};

const fields = {
  name: nameField(),
  description: textField(),
  enabled: booleanField(),
  active: booleanField(),
  types: z.array(wordField(LABEL_TYPES), 'invalid').min(1, 'invalid'),
  color: wordField(LABEL_COLORS),
};

const has = (name: string, text: string): boolean => name.toLowerCase().includes(text.toLowerCase());
const listed = (text = ''): ReadonlySet<string> => new Set(text.split(',').map((part) => part.trim().toLowerCase()));

/** Labels: read, searched and written. */
export const labelRoutes: readonly Route[] = [
  route({
    name: 'searchLabels',
    summary: 'List the labels of a name or type',
    method: 'GET',
    path: `${PATH}/search`,
    roles: R_READ,
    list: true,
    extension: true,
    reads: (site) => [keys.reference(site, 'label')],
    query: {
      ...sortQuery,
      name: z.string().meta({ description: 'A part of the name, in any case' }),
      names: z.string().meta({ description: 'Whole names, separated by commas' }),
      type: z.string().meta({ description: 'Any of these types, separated by commas' }),
    },
    reply: () => pageShape(LABELS.shape()),
    handle: (call) => {
      const { name, names, type } = call.query;
      const [wholeNames, types] = [listed(names), listed(type)]; // once, not for each label
      return listThings(call, LABELS, `${PATH}/search`, (records) =>
        records.filter(
          (item) =>
            (name === undefined || has(recordName(item), name)) &&
            (names === undefined || wholeNames.has(recordName(item).toLowerCase())) &&
            (type === undefined || typesOf(item).some((one) => types.has(one))),
        ),
      );
    },
  }),
  ...readsOfResource(LABELS),
  ...writesOfResource(LABELS, {
    limit: 'labels',
    roles: R_WRITE,
    fields,
    required: ['name'],
    examples: [
      { name: 'refund', types: ['case', 'macro'], color: 'blue' },
      { description: 'Money back', enabled: false },
    ],
    deletes: true,
    plan: ({ fields: sent, ...asked }) => {
      const { name, active, enabled = active, types, ...rest } = sent;
      if (name !== undefined) refuseTaken(asked, (item) => recordName(item).toLowerCase() === name.toLowerCase());
      return {
        ...rest,
        ...(name !== undefined && { name }),
        ...(enabled !== undefined && { enabled }),
        ...(types !== undefined && { types: [...new Set(types)] }),
      };
    },
  }),
];
