import { normalizeLogin } from '../../access/users.ts';
import { type Erasures, valueName } from '../../history/cases/erasing.ts';
import type { ReferenceRecord } from '../records/reference-record.ts';

/** Removes erased data from a record (docs/design/erasing.md); undefined if the record must not be stored at all. */
export function withoutErasedNames(
  record: ReferenceRecord,
  erasures: Erasures | undefined,
): ReferenceRecord | undefined {
  if (erasures === undefined) return record;
  switch (record.type) {
    case 'agent': {
      if (erasures.standIn('agent', record.id) !== undefined) return undefined;
      const isErased = typeof record.login === 'string' && erasures.isErased('login', normalizeLogin(record.login));
      if (!isErased) return record;
      const { name: _, login: __, ...rest } = record;
      return rest;
    }
    case 'company':
      return erasures.standIn('company', record.id) === undefined ? record : undefined;
    case 'article': {
      const isErased = (id: number | null | undefined) =>
        typeof id === 'number' && erasures.standIn('agent', id) !== undefined;
      const { created_by, updated_by } = record;
      return {
        ...record,
        ...(isErased(created_by) && { created_by: null }),
        ...(isErased(updated_by) && { updated_by: null }),
      };
    }
    case 'custom_field': {
      const { id, values } = record;
      if (!Array.isArray(values)) return record;
      return { ...record, values: values.filter((value) => !erasures.isErased('value', valueName(id, value))) };
    }
    default:
      return record;
  }
}
