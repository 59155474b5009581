import type { SessionRow } from '../history/cases/case-row.ts';
import { ATTRIBUTES, type ListAttribute, valueDictionary } from '../history/segments/segment-columns.ts';
import { creationsOf } from '../insights/definitions/creations.ts';
import { NOT_COUNTED } from '../insights/definitions/measure.ts';
import { definitionOf } from '../insights/definitions/measures.ts';
import { KEPT_BY } from '../insights/definitions/verdicts.ts';
import { openIntervals } from '../insights/definitions/waits-and-open.ts';
import { SLA_METRICS, type SlaMetric } from '../insights/promises/sla-policies.ts';
import { locatedIn, type SegmentView } from '../insights/scan/view.ts';
import { keysOf } from '../typed-object.ts';
import { CASE_STATUSES } from '../vocabulary.ts';
import { eachFigure, newFigures } from './case-figures.ts';
import type { CaseNow } from './case-now.ts';
import type { MonthCases } from './month-cases.ts';
import type { FactOwner, FactRow, MonthFacts } from './month-facts.ts';
import { MEASURES_OF } from './month-facts.ts';
import { EXPORTED_KINDS, type ExportedKind, ID_ATTRIBUTES, ROW_KINDS } from './tables.ts';

/** Where the rows of the months go, by the number of a month. */
export interface Months {
  facts(month: number): MonthFacts;
  verdicts(month: number): MonthFacts;
  cases(month: number): MonthCases;
  monthOf(second: number): number;
}

/** By what the table `replaced` names the rows of a segment. */
export interface RowsPlace {
  readonly born: number;
  readonly segment: number;
}

/** Adds the cases of a segment, with all facts that reports count of them. */
export function addCases(view: SegmentView, months: Months, place: RowsPlace): void {
  const lists = [...storedFacts(view), openFacts(view)];
  for (const { now, rows } of rowsOfCases(view, lists, place)) {
    const figures = newFigures();
    for (const { owner, made, measures, fact } of rows) {
      months.facts(months.monthOf(made.at)).add(owner, made, measures, fact);
      eachFigure(figures, made, measures, fact);
    }
    months.cases(months.monthOf(now.second)).add({ now, figures });
  }
}

/** Adds the verdicts on promises to the cases of a segment. */
export function addVerdicts(view: SegmentView, months: Pick<Months, 'verdicts' | 'monthOf'>, place: RowsPlace): void {
  const lists = SLA_METRICS.flatMap((metric) => [keptFacts(view, metric), lateFacts(view, metric)]);
  for (const { rows } of rowsOfCases(view, lists, place))
    for (const { owner, made, measures, fact } of rows)
      months.verdicts(months.monthOf(made.at)).add(owner, made, measures, fact);
}

/** The rows of each case that counts, list by list. */
function* rowsOfCases(view: SegmentView, lists: readonly FactList[], place: RowsPlace) {
  const { segment, selected } = view;
  const count = segment.keys().length;
  const caseAt = caseReader(view, place);
  for (let row = 0; row < count; row += 1) {
    if (selected.rows[row] === 0) continue;
    const now = caseAt(row);
    yield { now, rows: rowsIn(lists, row, { second: now.second, key: now.key, now }) };
  }
}

function* rowsIn(lists: readonly FactList[], row: number, owner: FactOwner) {
  for (const { offsets, measures, make } of lists) {
    const [from, end] = [offsets[row]!, offsets[row + 1]!];
    for (let fact = from; fact < end; fact += 1) yield { owner, made: make(fact, fact - from), measures, fact };
  }
}

/** Adds the time online of agents. */
export function addSessions(rows: readonly SessionRow[], months: Months): void {
  const kind = ROW_KINDS.indexOf('online');
  for (const { agent, sessions } of rows) {
    const owner: FactOwner = { second: sessions[0]?.from ?? 0, key: `agent ${agent}`, now: undefined };
    for (const [n, { from, to }] of sessions.entries()) {
      const row = { kind, n, at: from, until: to, agent, group: Number.NaN, value: to - from };
      months.facts(months.monthOf(from)).add(owner, row, [], 0);
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

/** The facts that kept promises, each with who acted. */
function keptFacts(view: SegmentView, metric: SlaMetric): FactList {
  const { start, rows: count } = view.segment.head;
  const table = view.segment.facts(KEPT_BY[metric]);
  const [seconds, agents, groups] = [table.seconds(), table.agents(), table.groups()];
  const [agentIds, groupIds] = [idsOf(view.segment.dictionary('agents')), idsOf(view.segment.dictionary('groups'))];
  const { met } = view.verdicts(metric);
  const facts = Int32Array.from(met.keys()).filter((fact) => met[fact] === 1);
  const rows = table.rows();
  const row: FactRow = { ...BLANK, kind: ROW_KINDS.indexOf(`kept_${metric}`) };
  return {
    offsets: offsetsIn(
      facts.map((fact) => rows[fact]!),
      count,
    ),
    measures: [],
    make(at, n) {
      const fact = facts[at]!;
      row.n = n;
      row.at = start + seconds[fact]!;
      row.agent = agentIds[agents[fact]!]!;
      row.group = groupIds[groups[fact]!]!;
      return row;
    },
  };
}

/** The first seconds too late of broken promises. */
function lateFacts(view: SegmentView, metric: SlaMetric): FactList {
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

/** Returns a function that gives a case as it is now: what it reads of the segment later is kept, and nothing else. */
function caseReader({ segment }: SegmentView, place: RowsPlace): (row: number) => CaseNow {
  const [keys, starts, read] = [segment.keys(), segment.starts(), valueReader(segment, place)];
  const { start } = segment.head;
  return (row) => ({ key: keys[row]!, second: start + starts[row]!, row, read });
}

/** Returns a function that reads the values of CASE_NOW of a row. */
function valueReader(segment: SegmentView['segment'], place: RowsPlace): CaseNow['read'] {
  const [born, number] = [BigInt(place.born), BigInt(place.segment)];
  const { start } = segment.head;
  const created = segment.kept(creationsOf);
  const columns = idColumns(segment);
  const [labels, macros, fields] = [
    listOf(segment, 'labels'),
    listOf(segment, 'macros'),
    listOf(segment, 'customValues'),
  ];
  const labelIds = segment.dictionary('labels').map(BigInt);
  const macroIds = segment.dictionary('macros').map(BigInt);
  const customValues = segment.customValues().map(({ field, value }) => ({ key: BigInt(field), value }));
  const resolves = segment.macroResolves();
  const statuses = segment.dictionary('statuses');
  const status = segment.attribute('status');
  return (row) => ({
    born,
    segment: number,
    created_at: created[row]! < 0 ? null : BigInt((start + created[row]!) * 1_000_000),
    status: CASE_STATUSES[statuses[status[row]! - 1] ?? 0] ?? 'new',
    ...Object.fromEntries(columns.map(({ name, indexes, ids }) => [name, ids[indexes[row]!] ?? null])),
    labels: labels(row).map(({ member }) => labelIds[member]!),
    macros: macros(row).map(({ member, entry }) => ({ key: macroIds[member]!, value: BigInt(resolves[entry]!) })),
    custom_fields: fields(row).map(({ member }) => customValues[member]!),
  });
}

const idColumns = (segment: SegmentView['segment']) =>
  keysOf(ID_ATTRIBUTES).map((attribute) => ({
    name: ID_ATTRIBUTES[attribute],
    indexes: segment.attribute(attribute),
    ids: [null, ...segment.dictionary(ATTRIBUTES[attribute]).map(BigInt)],
  }));

/** Returns a function that reads the entries of a row in a list, with their places in the dictionary. */
function listOf(segment: SegmentView['segment'], name: ListAttribute) {
  const list = segment.list(name);
  const [offsets, members] = [list.offsets, list.members()];
  return (row: number) =>
    Array.from({ length: offsets[row + 1]! - offsets[row]! }, (_, at) => {
      const entry = offsets[row]! + at;
      return { entry, member: members[entry]! - 1 };
    });
}
