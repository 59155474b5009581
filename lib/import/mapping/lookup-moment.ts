/** Texts of a key with their times, in one text: a line for each, the time before the first tab. */
const TAB = '\t';

/** A time as warehouses write it, which sorts as a text; undefined for any other text. */
function sortable(text: string): string | undefined {
  const found = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?/.exec(text);
  return found === null ? undefined : `${found[1]} ${found[2]}.${(found[3] ?? '').padEnd(6, '0')}`;
}

/** Adds a value and its time to those of a key. A value without a time counts as the first one. */
export const withMoment = (before: string | undefined, time: string, value: string): string =>
  `${before === undefined ? '' : `${before}\n`}${sortable(time) ?? ''}${TAB}${value}`;

/** Splits a text into what is looked up, its first word, and the time for which it is. */
export function splitMoment(text: string): { readonly key: string; readonly time: string } {
  const at = text.indexOf(' ');
  return at < 0 ? { key: text, time: '' } : { key: text.slice(0, at), time: text.slice(at + 1) };
}

/** Returns the value of the latest time up to `time`; if all are later, the first one, and without a time the last one. */
export function valueAt(dated: string, time: string): string {
  const wanted = sortable(time) ?? '~'; // sorts after all times
  let [found, foundAt]: [string | undefined, string] = [undefined, ''];
  let [first, firstAt]: [string, string] = ['', '~~'];
  for (const line of dated.split('\n')) {
    const tab = line.indexOf(TAB);
    const [at, value] = [line.slice(0, tab), line.slice(tab + 1)];
    if (at <= wanted && at >= foundAt) [found, foundAt] = [value, at];
    if (at < firstAt) [first, firstAt] = [value, at];
  }
  return found ?? first;
}
