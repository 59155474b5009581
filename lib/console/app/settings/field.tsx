import type { InputHTMLAttributes, JSX } from 'preact';
import { faultText } from '../../model/text.ts';
import { ApiError } from '../api.ts';
import { Field } from '../ui.tsx';

/** What the service says about one field of a refused write; undefined if it says nothing. */
export function saidOf(error: unknown, field: string): string | undefined {
  const faults = error instanceof ApiError ? error.faults : [];
  const [fault] = faults.filter((one) => one.field === field || one.field.startsWith(`${field}.`));
  return fault && (fault.message ?? faultText(field, fault.code));
}

interface TextFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly name: string; // of the API's field, whose faults it shows
  readonly error: unknown;
  readonly value?: string;
  readonly onInput?: (value: string) => void;
  readonly input?: InputHTMLAttributes;
}

/** An input for a line of text; a fault of its field stands at it. */
export const TextField = ({ label, hint, name, error, value, onInput, input }: TextFieldProps): JSX.Element => (
  <Field label={label} {...(hint === undefined ? {} : { hint })} error={saidOf(error, name)}>
    {(attributes) => (
      <input
        class="input"
        name={name}
        dir="auto"
        {...input}
        {...attributes}
        {...(value === undefined ? {} : { value })}
        onInput={(event) => onInput?.(event.currentTarget.value)}
      />
    )}
  </Field>
);

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly error: unknown;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly value: string;
  readonly onChange?: (value: string) => void;
}

/** A choice of one of some words. */
export const Choice = ({ label, name, error, options, value, onChange }: ChoiceProps): JSX.Element => (
  <Field label={label} error={saidOf(error, name)}>
    {(attributes) => (
      <select
        class="input"
        name={name}
        {...attributes}
        value={value}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      >
        {options.map(([id, shown]) => (
          <option key={id} value={id}>
            {shown}
          </option>
        ))}
      </select>
    )}
  </Field>
);
