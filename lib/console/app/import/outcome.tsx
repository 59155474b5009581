import type { JSX } from 'preact';
import type { SayWrong } from '../../model/doubts.ts';
import type { CaseStory, FileOutcome } from '../../model/file-import.ts';
import { importText } from '../../model/text/import-text.ts';
import { useApp } from '../context.tsx';
import { Stories } from './stories.tsx';

interface OutcomeProps {
  readonly outcome: FileOutcome;
  readonly stories: readonly CaseStory[]; // of the check, which tells them
  readonly isDry: boolean; // nothing was written
  readonly onWrong: SayWrong | undefined;
}

/** The outcome of loading a file: counts, faults of lines, and the first cases in words. */
export function Outcome({ outcome, stories, isDry, onWrong }: OutcomeProps): JSX.Element {
  const { format } = useApp();
  const { records, cases, added, unchanged, rejections, warnings, ignored } = outcome;
  const left = Object.entries(ignored);
  return (
    <div class="outcome">
      <section class="card">
        <h2>{isDry ? importText.wouldBring : importText.brought}</h2>
        <p>{importText.counts(format.count(added), format.count(unchanged))}</p>
        {cases && (
          <p>
            {importText.cases(
              format.count(cases.added),
              format.count(cases.changed),
              cases.gone === null ? null : format.count(cases.gone),
            )}
          </p>
        )}
        <dl class="facts">
          {Object.entries(records).map(([type, count]) => (
            <div key={type}>
              <dt>{importText.records[type] ?? type}</dt>
              <dd>{format.count(count)}</dd>
            </div>
          ))}
        </dl>
        {left.length > 0 && (
          <>
            <h3>{importText.ignored}</h3>
            <ul class="plain">
              {left.slice(0, 12).map(([what, count]) => (
                <li key={what}>{`${what} (${format.count(count)})`}</li>
              ))}
            </ul>
          </>
        )}
      </section>
      {(rejections.length > 0 || warnings.length > 0) && (
        <section class="card">
          <h2>{importText.findings}</h2>
          <ul class="plain">
            {rejections.map(({ reason, count, first }) => (
              <li key={reason}>
                <strong>{importText.lines(count)}</strong> {reason}
                <span class="quiet">{` (${importText.firstLines(first)})`}</span>
              </li>
            ))}
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </section>
      )}
      {stories.length > 0 && <Stories stories={stories} isStored={!isDry} onWrong={onWrong} />}
    </div>
  );
}
