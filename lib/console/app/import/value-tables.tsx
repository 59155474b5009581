import type { JSX } from 'preact';
import { type Answers, type ColumnMeanings, meaningAfter, withMeaning } from '../../model/questions.ts';
import { importText } from '../../model/text/import-text.ts';
import { useApp } from '../context.tsx';
import { AnswerPicker } from './answer-picker.tsx';

interface ValueTablesProps {
  readonly meanings: readonly ColumnMeanings[];
  readonly answers: Answers;
  readonly onChange: (answers: Answers) => void;
}

/** Forms for the meaning of each value of a column, such as our status for each of their statuses. */
export function ValueTables({ meanings, answers, onChange }: ValueTablesProps): JSX.Element {
  const { format } = useApp();
  return (
    <>
      {meanings.map((column) => (
        <fieldset key={column.column} class="values">
          <legend>{importText.valuesOf(column.column)}</legend>
          {column.values.map(({ value, rows, against }) => (
            <AnswerPicker
              key={value}
              label={value}
              hint={importText.rows(rows, format.count(rows))}
              choices={column.choices}
              answer={meaningAfter(column, answers, value)}
              none={importText.unknown}
              onAnswer={(answer) => onChange(withMeaning(column, answers, value, answer))}
            >
              {against && <em class="small against">{against}</em>}
            </AnswerPicker>
          ))}
        </fieldset>
      ))}
    </>
  );
}
