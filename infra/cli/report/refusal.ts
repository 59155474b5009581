import { Failure } from '../../../lib/errors.ts';
import { Fault } from '../../fault.ts';
import type { MadeRequest } from './request-options.ts';

/** Turns a failure that HTTP answers with 410 or 422 into a `Fault`; returns other errors unchanged. */
export function refusalOf(error: unknown, { source, byOptions }: MadeRequest): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.kind === 'gone') return new Fault('The history changed while the pages were read: run the command again.');
  if (error.kind !== 'invalid') return error;
  const faults = (error.details ?? []).map(({ field, message }) => `${field}: ${message}`);
  return new Fault(`${source} is refused: ${faults.join(' ')}`, byOptions ? 2 : 1);
}
