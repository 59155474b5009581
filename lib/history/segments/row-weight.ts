import type { CaseRow } from '../cases/case-row.ts';
import { ALL_FACT_KINDS } from '../cases/case-row.ts';
import type { Column } from './byte-planes.ts';
import type { Segment } from './segment.ts';

const ROW = 24; // bytes of the columns that every case has, about
const LABEL = 2;
const MACRO = 3;
const CUSTOM_VALUE = 3; // without its text
const FACT = 6;

/**
 * Returns about how many bytes a row takes in a segment, rather too many than too few. The weight of a segment is the
 * sum of its rows' weights, and segments are cut by it.
 */
export function rowWeight(row: CaseRow): number {
  const { labels, macros, customValues } = row.attributes;
  let weight = ROW + row.key.length + LABEL * labels.length + MACRO * macros.length;
  for (const { value } of customValues) weight += CUSTOM_VALUE + value.length;
  for (const kind of ALL_FACT_KINDS) weight += FACT * row.facts[kind].length;
  return weight;
}

/** Returns the weight of every row of a segment, without decoding its facts. */
export function rowWeights(segment: Segment): number[] {
  const [labels, macros, custom] = [segment.list('labels'), segment.list('macros'), segment.list('customValues')];
  const lengths = segment.customValues().map(({ value }) => value.length);
  const values = custom.members();
  const facts = ALL_FACT_KINDS.map((kind) => segment.facts(kind).offsets());
  const sizeAt = (offsets: Column, row: number): number => offsets[row + 1]! - offsets[row]!;
  return segment.keys().map((key, row) => {
    let weight = ROW + key.length + LABEL * sizeAt(labels.offsets, row) + MACRO * sizeAt(macros.offsets, row);
    for (let i = custom.offsets[row]!; i < custom.offsets[row + 1]!; i += 1) {
      weight += CUSTOM_VALUE + lengths[values[i]! - 1]!;
    }
    for (const offsets of facts) weight += FACT * sizeAt(offsets, row);
    return weight;
  });
}
