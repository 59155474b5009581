import { Faults } from '../../errors.ts';
import { isJsonObject, type UncheckedObject } from '../../json.ts';
import type { FieldName } from '../definitions/fields.ts';
import { type ReportRequest, type ReportSite, readRequest } from '../request.ts';

/** A request for why a number moved: a report with one number, and what it is compared with. */
export interface ChangeRequest {
  readonly report: ReportRequest;
  readonly field: FieldName;
}

const ONE_FIELD = { message: 'Why a number moved is asked of one field.' };
const NO_DIMENSION = { message: 'Why a number moved is told by all dimensions: the request has none.' };
const NO_WINDOWS = { message: 'Why a number moved is asked of one range: window_size is none.' };

/** Reads the body of a request for why a number moved; `now` is in epoch ms. Throws a 422 that names its faults and those already in `faults`. */
export function readChangeRequest(
  body: UncheckedObject,
  site: ReportSite,
  now: number,
  faults = new Faults(),
): ChangeRequest {
  if (Array.isArray(body.fields) && body.fields.length > 1) faults.explain('invalid', ['fields'], ONE_FIELD);
  for (const name of ['dimension1', 'dimension2'] as const)
    if ((body[name] ?? null) !== null) faults.explain('invalid', [name], NO_DIMENSION);
  if (isJsonObject(body.time)) {
    const { compare, window_size } = body.time;
    if ((compare ?? null) === null)
      faults.explain('blank', ['time', 'compare'], { takes: 'the range to compare with' });
    if (typeof window_size === 'string' && window_size !== 'none')
      faults.explain('invalid', ['time', 'window_size'], NO_WINDOWS);
  }
  const asked = readRequest(body, site, now, faults);
  const { totals: _totals, chance: _chance, ...extras } = asked.extras ?? {};
  const report = { ...asked, totals: false, chance: false, extras };
  const [field] = report.fields;
  if (field === undefined) throw new Error('a request without faults has a field');
  return { report, field };
}
