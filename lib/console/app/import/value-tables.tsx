import type { JSX } from 'preact';
import { type Answers, type ColumnMeanings, choiceOf, meaningAfter, withMeaning } from '../../model/questions.ts';
import { text } from '../../model/text.ts';
import { useApp } from '../context.tsx';
import { Field } from '../ui.tsx';

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
          <legend>{text.importing.valuesOf(column.column)}</legend>
          {column.values.map(({ value, rows }) => (
            <Field key={value} label={value} hint={text.importing.rows(rows, format.count(rows))}>
              {(attributes) => (
                <select
                  {...attributes}
                  class="input"
                  value={choiceOf(column.choices, meaningAfter(column, answers, value))}
                  onChange={({ currentTarget }) =>
                    onChange(withMeaning(column, answers, value, column.choices[Number(currentTarget.value)]?.answer))
                  }
                >
                  <option value={-1} disabled>
                    {text.importing.unknown}
                  </option>
                  {column.choices.map((choice, index) => (
                    <option key={index} value={index}>
                      {choice.text}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          ))}
        </fieldset>
      ))}
    </>
  );
}
