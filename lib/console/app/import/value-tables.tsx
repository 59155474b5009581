import type { JSX } from 'preact';
import type { Mapping } from '../../model/file-import.ts';
import { type Role, valueTables } from '../../model/mapping-roles.ts';
import { text } from '../../model/text.ts';
import { Field } from '../ui.tsx';

interface ValueTablesProps {
  readonly mapping: Mapping;
  readonly onChange: (role: Role, value: string, meaning: string) => void;
}

/** Forms for the meaning of each value of a column, such as our status for each of their statuses. */
export const ValueTables = ({ mapping, onChange }: ValueTablesProps): JSX.Element => (
  <>
    {valueTables(mapping).map(({ role, column, values, choices }) => (
      <fieldset key={role} class="values">
        <legend>{text.importing.valuesOf(column)}</legend>
        {values.map(([value, meaning]) => (
          <Field key={value} label={value}>
            {(attributes) => (
              <select
                {...attributes}
                class="input"
                value={meaning}
                onChange={(event) => onChange(role, value, event.currentTarget.value)}
              >
                {choices.map((choice) => (
                  <option key={choice} value={choice}>
                    {text.importing.meanings[choice] ?? (choice === '' ? text.importing.noPriority : choice)}
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
