import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  behindColumn,
  columnWith,
  type Doubt,
  rolesBehind,
  takenRow,
  unitAfter,
  withColumn,
  withUnit,
} from '../../model/doubts.ts';
import type { FileImport } from '../../model/file-import.ts';
import { type Answers, FIELD, roleAfter, type ShownProposal, withRole } from '../../model/questions.ts';
import { importText } from '../../model/text/import-text.ts';
import { text } from '../../model/text/text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Choice } from '../ui/fields.tsx';
import { Button } from '../ui/ui.tsx';
import { AnswerPicker } from './answer-picker.tsx';
import { ValueTables } from './value-tables.tsx';
import { ZoneChoice } from './zone-choice.tsx';

interface WrongProps {
  readonly file: FileImport;
  readonly proposal: ShownProposal;
  readonly doubt: Doubt;
  readonly onDoubt: (doubt: Doubt) => void; // about a part of it
  readonly onAnswer: (answers: Answers) => void;
  readonly onClose: () => void;
}

/** The questions behind something that a person says is wrong, with their choices. */
export function Wrong(props: WrongProps): JSX.Element {
  const { file, proposal, doubt, onAnswer, onClose } = props;
  const [answers, setAnswers] = useState<Answers>({});
  const part: PartProps = { proposal, answers, onChange: setAnswers };
  const isChanged = Object.keys(answers).length > 0;
  return (
    <Dialog title={titleOf(doubt)} onClose={onClose} wide>
      {'row' in doubt ? (
        <Row {...props} row={doubt.row} />
      ) : (
        <div class="stack">
          {'column' in doubt ? (
            <ColumnPart {...part} column={doubt.column} />
          ) : (
            <EventPart {...part} event={doubt.event} zone={file.zone} />
          )}
          {file.state === 'loaded' && <p class="quiet">{importText.takenBack}</p>}
        </div>
      )}
      <p class="row end">
        <Button onClick={onClose}>{text.edit.cancel}</Button>
        {!('row' in doubt) && (
          <Button
            kind="primary"
            disabled={!isChanged}
            onClick={() => {
              onClose();
              onAnswer(answers);
            }}
          >
            {file.state === 'loaded' ? importText.tryBack : importText.tryAgain}
          </Button>
        )}
      </p>
    </Dialog>
  );
}

function titleOf(doubt: Doubt): string {
  if ('column' in doubt) return importText.rightColumn(doubt.column);
  return 'row' in doubt ? importText.rowTaken(doubt.row + 1) : importText.rightEvent(doubt.event.what);
}

/** A row with what each value was taken as. */
function Row({ file: { preview }, proposal, row, onDoubt }: WrongProps & { readonly row: number }): JSX.Element | null {
  if (preview === null || !('header' in preview)) return null;
  return (
    <ul class="taken">
      {takenRow(proposal, preview.header, preview.rows[row] ?? []).map(({ column, value, role, meaning }) => (
        <li key={column} class={role === undefined ? 'quiet' : ''}>
          <span dir="auto">
            {column}: <strong>{value === '' ? importText.emptyCell : value}</strong>
          </span>
          <span>{[role ?? importText.nothing, ...(meaning === undefined ? [] : [meaning])].join(': ')}</span>
          <Button kind="quiet" label={importText.wrongLabel(column)} onClick={() => onDoubt({ column })}>
            {importText.wrong}
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface PartProps {
  readonly proposal: ShownProposal;
  readonly answers: Answers;
  readonly onChange: (answers: Answers) => void;
}

/** What a column is, of all that a column of this file can be, and what its values mean. */
function ColumnPart({ proposal, answers, onChange, column }: PartProps & { readonly column: string }): JSX.Element {
  const role = roleAfter(proposal, answers, column);
  const why = [...proposal.roles, ...proposal.fields].find((found) => found.column === column)?.why;
  const choices = [
    { role: undefined, label: importText.nothing },
    { role: FIELD, label: importText.field },
    ...proposal.roles,
  ];
  return (
    <>
      {why !== undefined && <p class="quiet">{importText.because(why)}</p>}
      <div class="row" role="group" aria-label={importText.meansLabel(column)}>
        {choices.map((choice) => (
          <button
            key={choice.label}
            type="button"
            class="button choice"
            aria-pressed={choice.role === role}
            onClick={() => onChange(withRole(proposal, answers, column, choice.role))}
          >
            {choice.label}
          </button>
        ))}
      </div>
      <Behind {...{ proposal, answers, onChange, column }} />
    </>
  );
}

/** The unit of a column's durations, and the meanings of its values. */
function Behind({ proposal, answers, onChange, column }: PartProps & { readonly column: string }): JSX.Element {
  const { meanings, unit } = behindColumn(proposal, column);
  return (
    <>
      {unit && (
        <AnswerPicker
          label={importText.unitOf(column)}
          choices={unit.choices}
          answer={unitAfter(unit, answers)}
          onAnswer={(answer) => onChange(withUnit(answers, unit, answer))}
        />
      )}
      {meanings && <ValueTables meanings={[meanings]} answers={answers} onChange={onChange} />}
    </>
  );
}

interface EventPartProps extends PartProps {
  readonly event: { readonly type: string };
  readonly zone: string | null; // of times without one
}

/** The columns that decide an event of a case, with the meanings of their values, and the zone of its time. */
function EventPart({ event, zone, ...part }: EventPartProps): JSX.Element {
  const { proposal, answers, onChange } = part;
  return (
    <>
      {rolesBehind(proposal, event).map((role) => {
        const column = columnWith(proposal, answers, role);
        return (
          <div key={role} class="stack">
            <Choice
              label={importText.columnOf(proposal.roles.find((one) => one.role === role)?.label ?? role)}
              options={[['', importText.noColumn], ...proposal.columns.map((each) => [each, each] as const)]}
              value={column ?? ''}
              onChange={(chosen) => onChange(withColumn(proposal, answers, role, chosen === '' ? null : chosen))}
            />
            {column !== null && <Behind {...part} column={column} />}
          </div>
        );
      })}
      <ZoneChoice
        value={String(answers.zone ?? zone ?? '')}
        onChange={(next) => onChange({ ...answers, zone: next })}
      />
    </>
  );
}
