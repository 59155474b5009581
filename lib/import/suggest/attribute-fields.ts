import { type Fields, type Making, named, type Take, tableOf } from './making.ts';
import type { SampledColumn } from './sampled-columns.ts';
import { priorityOf, statusOf } from './words.ts';

/** What a case has, as the mapping says it. */
export function attributes(take: Take, making: Making): Fields {
  const priority = take('priority');
  const labels = take('labels');
  const channel = take('channel');
  return {
    ...(channel ? { channel: { column: channel.name, usual: true } } : {}),
    ...(priority
      ? { priority: { column: priority.name, table: tableOf(priority, priorityOf, 5, making), default: null } }
      : {}),
    ...named({ company: take('company') }),
    ...(labels ? { labels: labelsField(labels, making) } : {}),
  };
}

/** Labels of one column, or of several with the same name, which are called `Labels (2)` and so on. */
function labelsField({ name }: SampledColumn, { columns }: Making): Fields {
  const alike = columns.filter((one) => one.name === name || one.name.replace(/ \(\d+\)$/, '') === name);
  const split = alike.some(({ values }) => [...values].some((value) => value.includes(','))) ? ',' : ' ';
  return alike.length === 1 ? { column: name, split } : { columns: alike.map((one) => one.name), join: split, split };
}

/** Without a default: a status that comes first in a later export is rejected, instead of opening what was closed. */
export function statusField(column: SampledColumn | undefined, making: Making): Fields {
  if (column === undefined) return {};
  return { status: { column: column.name, table: tableOf(column, statusOf, 'open', making) } };
}
