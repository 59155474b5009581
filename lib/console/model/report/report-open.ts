import { PERIOD_UNITS, type Period } from '../period.ts';
import {
  COMPARISONS,
  type Condition,
  type ReportState,
  readReportState,
  USUAL_REPORT,
  WINDOW_SIZES,
  writeReportState,
} from './report-state.ts';

type Body = Readonly<Record<string, unknown>>;

const object = (value: unknown): Body => (typeof value === 'object' ? { ...value } : {});
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The state of a report's request: the inverse of `requestOf`, also for requests that other clients made. */
export function stateOf(request: unknown): ReportState {
  const body = object(request);
  const time = object(body.time);
  const state: ReportState = {
    ...USUAL_REPORT,
    fields: texts(body.fields),
    by: textOrNull(body.dimension1) ?? textOrNull(body.dimension2),
    byValues: texts(body.dimension1 ? body.dimension1_values : body.dimension2_values),
    and: body.dimension1 ? textOrNull(body.dimension2) : null,
    andValues: body.dimension1 ? texts(body.dimension2_values) : [],
    per: WINDOW_SIZES.find((size) => size === time.window_size) ?? 'none',
    period: periodOf(time),
    zone: textOrNull(time.time_zone),
    compare: COMPARISONS.find((each) => each === time.compare) ?? null,
    hours: body.hours === 'business' ? 'business' : null,
    filters: (Array.isArray(body.filters) ? body.filters : []).map((group) => conditions(group)),
  };
  return readReportState(writeReportState(state)); // replaces what an address cannot hold by defaults
}

/** The period of a report's `time`. */
export function periodOf(time: Body): Period {
  if (time.all === true) return { kind: 'all' };
  const unit = PERIOD_UNITS.find((each) => each === time.unit);
  if (unit !== undefined && typeof time.last === 'number') {
    return { kind: 'last', count: time.last, unit, current: time.including_current === true };
  }
  const local = (value: unknown): string => String(value).slice(0, 19);
  return { kind: 'range', from: local(time.min), until: local(time.max) };
}

/** Reads a group of conditions of three or six elements (docs/insights.md). */
export function conditions(group: unknown): Condition[] {
  return (Array.isArray(group) ? group : []).map((condition): Condition => {
    const parts: unknown[] = Array.isArray(condition) ? condition : [];
    const [action, name, match, text] = parts;
    const ids = parts.at(-1);
    return {
      action: action === 'Exclude' ? 'Exclude' : 'Include',
      object: String(name),
      ids: Array.isArray(ids) ? ids.map((each) => String(object(each).id)) : [],
      text: match === 'Contains' ? String(text ?? '') : '',
    };
  });
}
