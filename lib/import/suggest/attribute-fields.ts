import type { SampledColumn } from './sampled-columns.ts';
import {
  type MappingPart,
  namesOfColumns,
  type SuggestionDraft,
  type TakeColumn,
  valueTable,
} from './suggestion-draft.ts';
import { priorityOf, statusOf } from './words.ts';

/** Suggests the mapping of a case's attributes: channel, priority, company and labels. */
export function attributes(take: TakeColumn, draft: SuggestionDraft): MappingPart {
  const priority = take('priority');
  const labels = take('labels');
  const channel = take('channel');
  return {
    ...(channel ? { channel: { column: channel.name, usual: true } } : {}),
    ...(priority
      ? { priority: { column: priority.name, table: valueTable(priority, priorityOf, 5, draft), default: null } }
      : {}),
    ...namesOfColumns({ company: take('company') }),
    ...(labels ? { labels: labelsField(labels, draft) } : {}),
  };
}

const LABEL_SEPARATORS = [',', '|', ';']; // the first that a cell has

/** Suggests the mapping of labels, from one column or from several with the same name: `Labels`, `Labels (2)`, … */
function labelsField({ name }: SampledColumn, { columns }: SuggestionDraft): MappingPart {
  const alike = columns.filter((one) => one.name === name || one.name.replace(/ \(\d+\)$/, '') === name);
  const split =
    LABEL_SEPARATORS.find((one) => alike.some(({ values }) => [...values].some((value) => value.includes(one)))) ?? ' ';
  return alike.length === 1 ? { column: name, split } : { columns: alike.map((one) => one.name), join: split, split };
}

/**
 * Suggests the mapping of the status. It has no default: a status that is new in a later export is rejected, instead of
 * opening closed cases.
 */
export function statusField(column: SampledColumn | undefined, draft: SuggestionDraft): MappingPart {
  if (column === undefined) return {};
  return { status: { column: column.name, table: valueTable(column, statusOf, 'open', draft) } };
}
