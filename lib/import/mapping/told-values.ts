import { CASE_STATUSES, type CaseStatus, type Telling } from '../../vocabulary.ts';

/** A value or time of a mapping, as far as it says where its text comes from and what can become of it. */
export interface ValueSource {
  readonly column?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly value?: unknown; // a constant
  readonly table?: Readonly<Record<string, unknown>> | undefined;
  readonly default?: unknown;
  readonly else?: object | undefined;
  readonly plus?: { readonly column: string } | undefined;
}

/** Whether a value of the mapping is there, and a file has the columns that it is read from. */
export type Has = (spec: ValueSource | undefined) => boolean;

/** Returns whether a file with this header has what a value is read from; in capital or small letters. */
export function hasColumn(header: readonly string[] | undefined): Has {
  const names = header && new Set(header.map((name) => name.trim().toLowerCase()));
  const isThere = (name: string | undefined): boolean => name === undefined || names?.has(name.toLowerCase()) !== false;
  return (spec) => {
    if (spec === undefined) return false;
    const { column, columns, plus, else: other } = spec;
    if (other !== undefined) return true;
    return isThere(column) && isThere(plus?.column) && (columns === undefined || columns.some(isThere));
  };
}

/** The texts that a value may become; undefined: any. */
function textsOf({
  column,
  columns,
  value,
  table,
  default: usual,
  else: other,
}: ValueSource): readonly string[] | undefined {
  if (other !== undefined) return undefined;
  if (column === undefined && columns === undefined) return [String(value)];
  return table && [...Object.values(table), usual].map(String);
}

/** Whether a value may become one of some texts. */
const mayBe = (spec: ValueSource | undefined, texts: readonly string[]): boolean =>
  spec !== undefined && (textsOf(spec)?.some((text) => texts.includes(text)) ?? true);

const DONE: readonly CaseStatus[] = ['resolved', 'closed'];
const NOT_DONE = CASE_STATUSES.filter((status) => !DONE.includes(status));

/** What each change of a status tells: `to` may be a status that is done, or one that is not. */
export const changesTell = (to: ValueSource): readonly Telling[] => [
  'statuses',
  ...(mayBe(to, DONE) ? (['resolves'] as const) : []),
  ...(mayBe(to, NOT_DONE) ? (['reopens'] as const) : []),
];

/** What messages with a direction tell. */
export const directionsTell = (direction: ValueSource): readonly Telling[] => [
  ...(mayBe(direction, ['inbound']) ? (['customer_messages'] as const) : []),
  ...(mayBe(direction, ['outbound']) ? (['replies'] as const) : []),
];
