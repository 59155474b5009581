import { Failure } from '../../lib/errors.ts';
import { ImportFault } from '../../lib/import/formats/import-fault.ts';
import { OriginRefused } from '../../lib/import/origin.ts';
import { withoutPasswords } from '../../lib/text.ts';
import { Fault } from '../fault.ts';
import { DISK_FULL } from '../local/table/writing.ts';

const SILENT = 'The table does not answer: is its endpoint right, and does it run?';

/** Advice on faults of the table, by the name or code of the error. */
const TABLE_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: SILENT,
  EHOSTUNREACH: SILENT,
  ENETUNREACH: SILENT,
  ETIMEDOUT: SILENT,
  ENOTFOUND: SILENT,
  ResourceNotFoundException:
    'There is no such table: check --table or TABLE_NAME, and the region, which is `local` at an endpoint without AWS_ACCESS_KEY_ID.',
  CredentialsProviderError:
    'There are no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  [DISK_FULL]: 'The disk of the data folder is full: make room, then run the command again.',
  'Region is missing': 'There is no AWS region: set AWS_REGION.',
};

/** Turns any error into a `Fault` with advice, without the passwords of addresses. */
export function toFault(error: unknown): Fault {
  const fault = faultOf(error);
  return new Fault(withoutPasswords(fault.message), fault.exit);
}

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof ImportFault || error instanceof OriginRefused) return new Fault(error.message, 2);
  if (!(error instanceof Error)) return new Fault(String(error));
  const cause = error instanceof Failure && error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  const advice = TABLE_FAULTS[code] ?? TABLE_FAULTS[cause.name] ?? TABLE_FAULTS[cause.message];
  return new Fault(advice ?? (error instanceof Failure ? refusal(error) : error.message));
}

/** What a route says of a request that it refuses, as its reply explains it. */
function refusal({ kind, message, details = [] }: Failure): string {
  if (kind === 'unavailable') return SILENT;
  return details.length === 0 ? message : details.map((detail) => detail.message).join(' ');
}

/** The message of any error. */
export const describeFault = (error: unknown): string => toFault(error).message;
