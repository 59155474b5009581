import * as z from 'zod';
import { recordName, refuseTaken } from '../access/records.ts';
import { R_READ, R_WRITE } from '../access/roles.ts';
import { booleanField, wordField } from '../http/fields.ts';
import { listOf, oneOf } from '../json-readers.ts';
import { flag, freeText, nameText, place, type ShownWith, word } from '../resource/field.ts';
import { type Asked, resource } from '../resource/resource.ts';
import { recordsOf } from '../resource/storing.ts';
import { LABEL_COLORS, LABEL_TYPES } from '../vocabulary.ts';

const FIELDS = {
  name: nameText({ required: true }),
  description: freeText(),
  enabled: flag({ usual: true }),
  types: {
    stored: z.array(z.enum(LABEL_TYPES)),
    usual: () => ['case'],
    body: z
      .array(wordField(LABEL_TYPES), 'invalid')
      .min(1, 'invalid')
      .transform((types) => [...new Set(types)]),
    record: listOf(oneOf(LABEL_TYPES)),
    shown: () => z.array(z.enum(LABEL_TYPES)),
  },
  color: word(LABEL_COLORS, { usual: 'default' }),
  active: {
    body: booleanField(),
    shown: () => z.boolean().meta({ description: 'The same as `enabled`' }),
    show: (_: unknown, { thing }: ShownWith) => thing.enabled,
  },
  position: place(),
};

/** Labels of cases, macros and more. */
export const LABELS = resource({
  one: 'label',
  path: '/api/v2/labels',
  storing: recordsOf('label'),
  roles: R_READ,
  fields: FIELDS,
  writes: {
    limit: 'labels',
    roles: R_WRITE,
    deletes: true,
    examples: [
      { name: 'refund', types: ['case', 'macro'], color: 'blue' },
      { description: 'Money back', enabled: false },
    ],
    rule: ({ sent: { name: sent, active, enabled }, ...asked }: Asked<typeof FIELDS>) => {
      if (sent !== undefined) refuseTaken(asked, (label) => recordName(label).toLowerCase() === sent.toLowerCase());
      return active === undefined || enabled !== undefined ? {} : { enabled: active };
    },
  },
});
