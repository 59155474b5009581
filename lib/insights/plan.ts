import { rowVersionOf } from '../history/cases/case-row.ts';
import type { Attribute } from '../history/segments/segment-columns.ts';
import { REPLY_LIMIT } from '../http/reply.ts';
import { type DimensionName, dimensionNamed } from './definitions/dimensions.ts';
import type { DurationName } from './definitions/durations.ts';
import { type FieldName, fieldNamed, measuresOf, samplesOf, untoldBy, varianceMeasures } from './definitions/fields.ts';
import { FILTER_OBJECTS, type FilterObject } from './definitions/filters.ts';
import { definitionOf, isOfPromises, looksBack, type Measure } from './definitions/measures.ts';
import { earliestClock } from './promises/promise-range.ts';
import type { Reference } from './reference.ts';
import type { ReportRequest } from './request.ts';
import { smallestRow, tooLarge } from './too-large.ts';
import type { Range, Windows } from './windows.ts';
import { ALL_TIME, countWindows, cutWindows, NO_WINDOWS } from './windows.ts';

/**
 * All that a scan needs to know, as plain data, so that it can be sent to another thread or another Lambda function.
 */
export interface Plan {
  readonly request: ReportRequest;
  readonly reference: Reference;
  readonly range: Range; // s: the facts that count
  readonly windows: Windows;
  readonly measures: ReadonlySet<Measure>; // to add up
  readonly rows: number; // the ROW_VERSION that segments must have
  readonly samples: ReadonlySet<DurationName>; // the durations of which every value is kept
  readonly keepsNone?: boolean; // facts without a member count too, for the member null
  readonly total?: boolean; // also counts, in a window after the last, the total of what cannot be added over windows
  readonly byCase?: boolean; // it may be added up case by case, with other plans that are the same but for their dimension
  readonly onTime?: () => void; // throws past the deadline; loops that a request can make long call it
}

/**
 * Plans a report. `extent` is a range that contains every fact of the site, if one is known. Throws the 422 `too_large`
 * if the empty windows alone would not fit a reply.
 */
export function planReport(request: ReportRequest, reference: Reference, extent: Range = ALL_TIME): Plan {
  const { time, dimension1, dimension2, fields } = request;
  const shown = fields.filter((field) => !isNullIn(request, field));
  const asked = { min: time.min, max: time.max };
  const within = { min: Math.max(asked.min, extent.min), max: Math.min(asked.max, extent.max) };
  const ofFacts = within.min < within.max ? within : { min: asked.min, max: asked.min };
  // Without dimensions every window has a row. With them a window without facts has none and need not be cut.
  const everyWindow = dimension1 === null && dimension2 === null;
  const measures = new Set([...measuresOf(shown), ...(request.chance ? varianceMeasures(shown) : [])]);
  const lasting = [...measures].some(looksBack);
  const toNow = lasting ? untilNow(asked, ofFacts, extent, reference) : ofFacts;
  const range = [...measures].some(isOfPromises) ? toNow : ofFacts;
  const cut = everyWindow ? asked : toNow;
  const count = countWindows(time.size, cut);
  if (count * smallestRow(request) > REPLY_LIMIT && (everyWindow || lasting)) {
    throw tooLarge(request, `would have at least ${count} rows, more than a reply of 5.5 MB holds`);
  }
  const windows = time.isEmpty ? NO_WINDOWS : cutWindows(time.zone, time.size, time.weekStart, cut);
  return {
    request,
    reference,
    range,
    windows,
    measures,
    rows: rowsNeeded(request, measures),
    samples: samplesOf(shown),
  };
}

/** The part of `asked` in which measures that look back can be above 0: from the first fact of the site up to now. */
function untilNow(asked: Range, ofFacts: Range, extent: Range, { now }: Reference): Range {
  const from = Math.min(Math.max(asked.min, extent.min), asked.max);
  return { min: from, max: Math.max(from, ofFacts.max, Math.min(asked.max, now + 1)) };
}

/** The lowest version of rows that has everything that a report counts, splits by and filters by. */
function rowsNeeded({ dimension1, dimension2, filters }: ReportRequest, measures: ReadonlySet<Measure>): number {
  const dimensions = [dimension1, dimension2].flatMap((name) => (name === null ? [] : attributesOf(name)));
  const filtered = (filters ?? []).flat().flatMap(({ object }) => {
    const { attribute }: FilterObject = FILTER_OBJECTS[object];
    return attribute ?? [];
  });
  return Math.max(
    1,
    ...[...measures].map((measure) => definitionOf(measure).rows ?? 1),
    ...[...dimensions, ...filtered].map(rowVersionOf),
  );
}

/** The attribute of cases that a dimension shows; empty if it shows none. */
function attributesOf(name: DimensionName): Attribute[] {
  const source = dimensionNamed(name).source('created');
  return source.of === 'case' ? [source.attribute] : [];
}

/** The range of facts to read: for a backlog all since the first, for promises those since the longest target. */
export function rangeRead({ range, measures, reference, request: { time } }: Plan): Range {
  if (![...measures].some(looksBack)) return range;
  const from = measures.has('openCases') ? ALL_TIME.min : earliestClock(reference, range.min);
  return { min: Math.min(range.min, from), max: Math.max(time.max, range.max) };
}

/** Whether a field is null by the dimensions or under the filters of a report (docs/insights.md). */
export function isNullIn({ dimension1, dimension2, filters }: ReportRequest, name: FieldName): boolean {
  const { nullWithCaseFilters } = fieldNamed(name);
  const nulled = (dimension: typeof dimension1): boolean =>
    dimension !== null && untoldBy(name, dimension)?.isNull === true;
  const ofCases = (): boolean => (filters ?? []).flat().some(({ object }) => FILTER_OBJECTS[object].online === null);
  return nulled(dimension1) || nulled(dimension2) || (nullWithCaseFilters === true && ofCases());
}
