import type { Findings } from './formats/findings.ts';
import type { ImportSummary } from './import-rows.ts';

/** Whether a file had events and all belonged to older versions. */
export const isSuperseded = ({
  added,
  replaced,
  unchanged,
  superseded,
}: Pick<ImportSummary, 'added' | 'replaced' | 'unchanged' | 'superseded'>): boolean =>
  superseded > 0 && added + replaced + unchanged === 0;

/** Warns of features of an import as a whole that lead to surprising reports. */
export function noteSummary(
  summary: ImportSummary,
  rejected: number, // lines
  findings: Findings,
): void {
  const { records, messages, known } = summary;
  if (isSuperseded(summary)) findings.warn('All of it is older than what its source said before: it changes nothing.');
  if (rejected + known.cases + Object.keys(records).length === 0) {
    findings.warn('No record was found to import. Check that it is the right file, and that it is whole.');
  }
  if (known.cases > 0) return; // the import that read all cases has warned already
  const events = Object.entries(records).filter(([type]) => type.startsWith('case.') || type === 'interaction');
  if (events.length > 0 && !records['case.created']) {
    findings.warn('This import creates no case: unless another one does, reports have no creations and no durations.');
  }
  if (messages.outbound > 0 && messages.inbound === 0) {
    findings.warn(
      'There are replies but no inbound messages, as if no customer had asked. Check how directions are read.',
    );
  }
}
