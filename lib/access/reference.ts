import * as z from 'zod';
import { type Collection, perVersion } from '../store/collection.ts';

/** A reference record, reduced to the fields that lists, checks and reports use (docs/import.md records). */
export interface ReferenceEntry {
  readonly id: number;
  readonly name: string; // an article's subject; the id until a record has given a name
  readonly deleted: boolean;
}

export interface CustomField extends ReferenceEntry {
  readonly object: 'case' | 'customer';
  readonly values: readonly string[]; // empty: free text
}

const common = z.object({
  id: z.int(),
  name: z.string().optional(),
  subject: z.string().optional(), // of articles
  deleted: z.boolean().optional(),
});

const customField = common.extend({
  object: z.enum(['case', 'customer', 'company']).optional(), // absent if only cases have named the field so far
  values: z.array(z.string()).nullish(),
});

/** The records of a reference collection by id, deleted ones included. */
export const references = (collection: Collection): ReadonlyMap<number, ReferenceEntry> =>
  perVersion(collection, readReferences);

/** A site's custom fields of cases and customers in the order of their ids, deleted ones included. */
export const customFields = (collection: Collection): readonly CustomField[] =>
  perVersion(collection, readCustomFields);

function readReferences({ items }: Collection): Map<number, ReferenceEntry> {
  const all = [...items.values()].map((item) => toReference(common.parse(item)));
  return new Map(all.sort((a, b) => a.id - b.id).map((reference) => [reference.id, reference]));
}

function readCustomFields({ items }: Collection): CustomField[] {
  return [...items.values()]
    .flatMap((item) => {
      const { object = 'case', values, ...rest } = customField.parse(item);
      return object === 'company' ? [] : [{ ...toReference(rest), object, values: values ?? [] }];
    })
    .sort((a, b) => a.id - b.id);
}

function toReference({ id, name, subject, deleted = false }: z.infer<typeof common>): ReferenceEntry {
  return { id, name: name ?? subject ?? String(id), deleted };
}
