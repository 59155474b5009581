import { memberId } from '../../access/member-id.ts';
import { formatInstant } from '../../history/cases/instant.ts';
import { Rejection } from '../../json-readers.ts';
import { type HistoryRecord, parseRecord } from '../records/records.ts';
import {
  booleanReader,
  type Columns,
  type CsvCells,
  memberListReader,
  timeCellReader,
  valueReader,
} from './columns.ts';
import type { MembersMapping } from './mapping.ts';

/** Reads a row as reference records. Throws `Rejection`. */
export function memberRowReader(columns: Columns, mapping: MembersMapping): (cells: CsvCells) => HistoryRecord[] {
  const { type } = mapping;
  const idOf = valueReader(columns, mapping.id);
  const nameOf = valueReader(columns, mapping.name);
  const isDeleted = booleanReader(columns, mapping.deleted, 'deleted');
  const updatedAt = mapping.updated_at === undefined ? () => null : timeCellReader(columns, mapping.updated_at);
  const loginOf = valueReader(columns, mapping.login);
  const groupsOf = memberListReader(columns, 'group', mapping.groups);
  return (cells) => {
    const [name, login, at] = [nameOf(cells), loginOf(cells), updatedAt(cells)];
    const id = mapping.id === undefined ? name && memberId(type, name) : idOf(cells);
    if (id === null) throw new Rejection(mapping.id === undefined ? 'the name is empty' : 'the id is empty');
    const record = parseRecord({
      type,
      id,
      name: name ?? String(id),
      ...(type === 'custom_field' && { object: 'case' }),
      ...(isDeleted(cells) && { deleted: true }),
      ...(at !== null && { updated_at: formatInstant(at) }),
      ...(login !== null && { login, role: 'Agent' }),
      ...(mapping.groups !== undefined && { groups: groupsOf(cells) }),
    });
    return [...columns.members.take(), record];
  };
}
