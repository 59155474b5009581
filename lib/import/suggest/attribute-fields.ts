import { type Making, type MappingPart, namesOfColumns, type TakeColumn, valueTable } from './making.ts';
import type { SampledColumn } from './sampled-columns.ts';
import { priorityOf, statusOf } from './words.ts';

/** What a case has, as the mapping says it. */
export function attributes(take: TakeColumn, making: Making): MappingPart {
  const priority = take('priority');
  const labels = take('labels');
  const channel = take('channel');
  return {
    ...(channel ? { channel: { column: channel.name, usual: true } } : {}),
    ...(priority
      ? { priority: { column: priority.name, table: valueTable(priority, priorityOf, 5, making), default: null } }
      : {}),
    ...namesOfColumns({ company: take('company') }),
    ...(labels ? { labels: labelsField(labels, making) } : {}),
  };
}

/** Labels of one column, or of several with the same name, which are called `Labels (2)` and so on. */
function labelsField({ name }: SampledColumn, { columns }: Making): MappingPart {
  const alike = columns.filter((one) => one.name === name || one.name.replace(/ \(\d+\)$/, '') === name);
  const split = alike.some(({ values }) => [...values].some((value) => value.includes(','))) ? ',' : ' ';
  return alike.length === 1 ? { column: name, split } : { columns: alike.map((one) => one.name), join: split, split };
}

/** Without a default: a status that comes first in a later export is rejected, instead of opening what was closed. */
export function statusField(column: SampledColumn | undefined, making: Making): MappingPart {
  if (column === undefined) return {};
  return { status: { column: column.name, table: valueTable(column, statusOf, 'open', making) } };
}
