import type { SessionRow } from '../history/cases/case-row.ts';
import { ATTRIBUTES, valueDictionary } from '../history/segments/segment-columns.ts';
import { NOT_COUNTED } from '../insights/definitions/measure.ts';
import { definitionOf } from '../insights/definitions/measures.ts';
import { openIntervals } from '../insights/definitions/waits-and-open.ts';
import { locatedIn, type SegmentView } from '../insights/scan/view.ts';
import { keysOf } from '../typed-object.ts';
import { CASE_STATUSES } from '../vocabulary.ts';
import { eachFigure, newFigures } from './case-figures.ts';
import type { CaseValues, MonthCases } from './month-cases.ts';
import type { FactRow, MonthFacts } from './month-facts.ts';
import { MEASURES_OF } from './month-facts.ts';
import { EXPORTED_KINDS, type ExportedKind, ID_ATTRIBUTES, ROW_KINDS } from './tables.ts';

/** Where the rows of the months go, by the number of a month. */
export interface Months {
  facts(month: number): MonthFacts;
  cases(month: number): MonthCases;
  monthOf(second: number): number;
}

/** Adds the cases of a segment, with all facts that reports count of them. */
export function addCases(view: SegmentView, months: Months): void {
  const { segment, selected } = view;
  const { start } = segment.head;
  const starts = segment.starts();
  const keys = segment.keys();
  const lists = [...storedFacts(view), openFacts(view), ...LATE.map((metric) => lateFacts(view, metric))];
  const attributesOf = attributeReader(view);
  for (let row = 0; row < keys.length; row += 1) {
    if (selected.rows[row] === 0) continue;
    const [second, key, owner, figures] = [start + starts[row]!, keys[row]!, {}, newFigures()];
    for (const list of lists) {
      const end = list.offsets[row + 1]!;
      for (let fact = list.offsets[row]!; fact < end; fact += 1) {
        const made = list.make(fact, fact - list.offsets[row]!);
        const month = months.facts(months.monthOf(made.at));
        month.begin(owner, second, key, key);
        month.add(made, list.measures, fact);
        eachFigure(figures, made, list.measures, fact);
      }
    }
    months.cases(months.monthOf(second)).add({ key, second, figures, ...attributesOf(row) });
  }
}

/** Adds the time online of agents. */
export function addSessions(rows: readonly SessionRow[], months: Months): void {
  const kind = ROW_KINDS.indexOf('online');
  for (const { agent, sessions } of rows) {
    const owner = {};
    const first = sessions[0]?.from ?? 0;
    for (const [n, { from, to }] of sessions.entries()) {
      const month = months.facts(months.monthOf(from));
      month.begin(owner, first, `agent ${agent}`, null);
      month.add({ kind, n, at: from, until: to, agent, group: Number.NaN, value: to - from }, [], 0);
    }
  }
}

/** The facts of one kind in a segment; those of row r are at offsets[r] … offsets[r + 1] − 1. */
interface FactList {
  readonly offsets: ArrayLike<number>;
  readonly measures: readonly (Float64Array | undefined)[]; // by fact, as in MEASURES_OF; undefined: no values
  /** Makes the row of a fact. The object is used again for the next one. */
  make(fact: number, n: number): FactRow;
}

const NONE = Number.NaN;

function storedFacts(view: SegmentView): FactList[] {
  return EXPORTED_KINDS.map((kind): FactList => {
    const table = view.segment.facts(kind);
    const { start } = view.segment.head;
    const [seconds, agents, groups, values] = [table.seconds(), table.agents(), table.groups(), table.values()];
    const agentIds = idsOf(view.segment.dictionary('agents'));
    const groupIds = idsOf(view.segment.dictionary('groups'));
    const dictionary = valueDictionary(kind);
    const valueIds = dictionary && idsOf(view.segment.dictionary(dictionary));
    const isPlain = kind === 'handle' || kind === 'rating';
    const row: FactRow = { kind: ROW_KINDS.indexOf(kind), n: 0, at: 0, until: NONE, agent: 0, group: 0, value: NONE };
    return {
      offsets: table.offsets(),
      measures: MEASURES_OF[row.kind]!.map((measure) => measuredBy(view, measure, kind, table.count)),
      make(fact, n) {
        row.n = n;
        row.at = start + seconds[fact]!;
        row.agent = agentIds[agents[fact]!]!;
        row.group = groupIds[groups[fact]!]!;
        if (valueIds !== undefined) row.value = valueIds[values[fact]!]!;
        else if (isPlain) row.value = values[fact]!;
        if (kind === 'handle') row.until = row.at + row.value;
        return row;
      },
    };
  });
}

const idsOf = (dictionary: readonly number[]): Float64Array => Float64Array.of(NONE, ...dictionary);

/** By fact of a kind, what the measure adds for it by its definition; NaN where it does not count. */
function measuredBy(
  view: SegmentView,
  measure: (typeof MEASURES_OF)[number][number],
  kind: ExportedKind,
  count: number,
): Float64Array | undefined {
  const definition = definitionOf(measure);
  if (count === 0 || 'own' in definition || !('kinds' in definition.facts)) return undefined;
  const { facts, adds } = definition;
  const place = definition.facts.kinds.indexOf(kind);
  const values = new Float64Array(count).fill(NONE);
  for (const located of locatedIn(view, facts)) {
    const own = located[place];
    if (own === undefined) continue;
    const valueAt = adds === 1 ? () => 1 : adds(view, own);
    const { items, entries } = own.hits;
    for (let k = 0; k < own.hits.count; k += 1) {
      const value = valueAt(items[k]!, entries[k]!);
      if (value !== NOT_COUNTED) values[items[k]!] = value;
    }
  }
  return values;
}

const BLANK: Omit<FactRow, 'kind'> = { n: 0, at: 0, until: NONE, agent: NONE, group: NONE, value: NONE };

/** The intervals in which cases are open. */
function openFacts({ segment }: SegmentView): FactList {
  const { start, rows: count } = segment.head;
  const { rows, from, to } = segment.kept(openIntervals);
  const row: FactRow = { ...BLANK, kind: ROW_KINDS.indexOf('open') };
  return {
    offsets: offsetsIn(rows, count),
    measures: [],
    make(fact, n) {
      row.n = n;
      row.at = start + from[fact]!;
      row.until = to[fact]! < 0 ? NONE : start + to[fact]!;
      return row;
    },
  };
}

const LATE = ['first_response', 'reply', 'resolution'] as const;

/** The first seconds too late of broken promises. */
function lateFacts(view: SegmentView, metric: (typeof LATE)[number]): FactList {
  const { start, rows: count } = view.segment.head;
  const { rows, seconds } = view.verdicts(metric).missed;
  const row: FactRow = { ...BLANK, kind: ROW_KINDS.indexOf(`late_${metric}`) };
  return {
    offsets: offsetsIn(rows, count),
    measures: [],
    make(fact, n) {
      row.n = n;
      row.at = start + seconds[fact]!;
      return row;
    },
  };
}

/** Where the entries of each row begin, by the rising rows of all entries. */
function offsetsIn(rows: ArrayLike<number>, count: number): Int32Array {
  const offsets = new Int32Array(count + 1);
  for (let entry = 0; entry < rows.length; entry += 1) offsets[rows[entry]! + 1]! += 1;
  for (let row = 0; row < count; row += 1) offsets[row + 1]! += offsets[row]!;
  return offsets;
}

/** Returns a function that reads a case as it is now. */
function attributeReader({ segment }: SegmentView): (row: number) => Omit<CaseValues, 'key' | 'second' | 'figures'> {
  const columns = keysOf(ID_ATTRIBUTES).map((attribute) => ({
    name: ID_ATTRIBUTES[attribute],
    indexes: segment.attribute(attribute),
    ids: [null, ...segment.dictionary(ATTRIBUTES[attribute])],
  }));
  const [labels, macros, values] = [segment.list('labels'), segment.list('macros'), segment.list('customValues')];
  const [labelIds, macroIds] = [segment.dictionary('labels'), segment.dictionary('macros')];
  const customValues = segment.customValues();
  const resolves = segment.macroResolves();
  const statuses = segment.dictionary('statuses');
  const status = segment.attribute('status');
  const entries = ({ offsets }: { offsets: ArrayLike<number> }, row: number): number[] =>
    Array.from({ length: offsets[row + 1]! - offsets[row]! }, (_, at) => offsets[row]! + at);
  return (row) => ({
    status: CASE_STATUSES[statuses[status[row]! - 1] ?? 0] ?? 'new',
    single: Object.fromEntries(columns.map(({ name, indexes, ids }) => [name, ids[indexes[row]!] ?? null])),
    labels: entries(labels, row).map((entry) => labelIds[labels.members()[entry]! - 1]!),
    macros: entries(macros, row).map((entry) => [macroIds[macros.members()[entry]! - 1]!, resolves[entry]!] as const),
    customFields: entries(values, row).map((entry) => {
      const { field, value } = customValues[values.members()[entry]! - 1]!;
      return [field, value] as const;
    }),
  });
}
