import * as z from 'zod';
import type { FactTable, Segment } from '../../history/segments/segment.ts';
import { ATTRIBUTES, type Attribute } from '../../history/segments/segment-columns.ts';
import { CASE_STATUSES } from '../../vocabulary.ts';
import type { ZoneSpec } from '../../zone.ts';
import { zonedTime } from '../windows.ts';
import { type CaseEntry, caseOf } from './page.ts';

const id = () => z.int().nullable();

/** The attributes of a case as it is now. */
const caseFields = () => ({
  status: z.enum(CASE_STATUSES),
  deleted: z.boolean().meta({ description: 'Deleted, and neither opened nor resolved since' }),
  channel: id(),
  priority: id(),
  assignee: id(),
  group: id(),
  labels: z.array(z.int()),
  company: id(),
  custom_fields: z.record(z.string(), z.string()).meta({ description: 'Values by field' }),
});

/** An entry behind a cell as replies show it. */
export const shownCaseShape = () =>
  z.object({
    case: z.union([z.int(), z.string()]),
    at: z.string().meta({ description: 'The instant that counts, in the zone of the report' }),
    value: z.int().meta({ description: 'What the entry adds: seconds, 1, or 0 or 1 of a rate' }),
    counted: z.boolean().meta({ description: 'False if the entry is only in the denominator of a rate' }),
    ...caseFields(),
  });

export type ShownCase = z.infer<ReturnType<typeof shownCaseShape>>;

/** Shows an entry with its case as it is now. */
export function showEntry(entry: CaseEntry, zone: ZoneSpec): ShownCase {
  const { at, value, counted, segment, row } = entry;
  return {
    case: shownKey(caseOf(entry)),
    at: zonedTime(zone, at),
    value,
    counted,
    status: CASE_STATUSES[attributeOf(segment, 'status', row) ?? 0] ?? 'new',
    deleted: isDeleted(segment, row),
    channel: attributeOf(segment, 'channel', row),
    priority: attributeOf(segment, 'priority', row),
    assignee: attributeOf(segment, 'agent', row),
    group: attributeOf(segment, 'group', row),
    labels: membersOf(segment, 'labels', row).map((index) => segment.dictionary('labels')[index]!),
    company: attributeOf(segment, 'company', row),
    custom_fields: Object.fromEntries(
      membersOf(segment, 'customValues', row).map((index) => {
        const { field, value } = segment.customValues()[index]!;
        return [String(field), value];
      }),
    ),
  };
}

/** A case's key as it was imported: a number if it is a safe integer, else a text. */
export function shownKey(key: string): number | string {
  const number = Number(key);
  return Number.isSafeInteger(number) && String(number) === key ? number : key;
}

/** Whether a case was deleted, and neither opened nor resolved since. */
function isDeleted(segment: Segment, row: number): boolean {
  const [deletes, resolves, presence] = [segment.facts('delete'), segment.facts('resolve'), segment.facts('presence')];
  const deletion = lastOf(deletes, row);
  if (deletion === undefined) return false;
  const turn = lastOf(presence, row); // without one the guess is right, by which no deleted case is open
  if (turn !== undefined && presence.values()[turn] === 1) return false;
  const resolve = lastOf(resolves, row);
  return resolve === undefined || resolves.seconds()[resolve]! <= deletes.seconds()[deletion]!;
}

/** The index of the last of a case's facts; undefined if it has none. */
function lastOf(facts: FactTable, row: number): number | undefined {
  if (facts.count === 0) return undefined;
  const [begin, end] = [facts.offsets()[row]!, facts.offsets()[row + 1]!];
  return end > begin ? end - 1 : undefined;
}

function attributeOf(segment: Segment, name: Attribute, row: number): number | null {
  const index = segment.attribute(name)[row]!;
  return index === 0 ? null : segment.dictionary(ATTRIBUTES[name])[index - 1]!;
}

/** The dictionary indexes of the labels or custom values that a case has. */
function membersOf(segment: Segment, name: 'labels' | 'customValues', row: number): number[] {
  const { offsets, members } = segment.list(name);
  return Array.from(members().subarray(offsets[row]!, offsets[row + 1]!), (index) => index - 1);
}
