import type { ComponentChildren, InputHTMLAttributes, JSX, TextareaHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import { faultText } from '../../model/text/text.ts';
import { ApiError } from '../api.ts';
import { Field } from './ui.tsx';

/** What the service says about one field of a refused write; undefined if it says nothing. */
export function fieldFault(error: unknown, field = ''): string | undefined {
  const faults = error instanceof ApiError ? error.faults : [];
  const fault = faults.find((one) => one.field === field || one.field.startsWith(`${field}.`));
  return fault && (fault.message ?? faultText(field, fault.code));
}

interface NamedProps {
  readonly label: string;
  readonly hint?: string;
  readonly name?: string; // of the API's field, whose faults it shows
  readonly error?: unknown;
}

interface TextProps<A> extends NamedProps {
  readonly value?: string | null; // null is shown as no text; without a value the form reads the input
  readonly onInput?: (value: string) => void;
  readonly input?: A;
}

/** An input for a line of text; a fault of its field stands at it. */
export const TextField = (props: TextProps<InputHTMLAttributes>): JSX.Element => (
  <Field label={props.label} hint={props.hint} error={fieldFault(props.error, props.name)}>
    {(attributes) => <input {...textAttributes(props)} {...props.input} {...attributes} />}
  </Field>
);

/** The same for lines of text. */
export const TextArea = (props: TextProps<TextareaHTMLAttributes>): JSX.Element => (
  <Field label={props.label} hint={props.hint} error={fieldFault(props.error, props.name)}>
    {(attributes) => <textarea {...textAttributes(props)} {...props.input} {...attributes} />}
  </Field>
);

const textAttributes = ({ name, value, onInput }: TextProps<unknown>) => ({
  ...({ class: 'input', dir: 'auto', name } as const),
  ...(value !== undefined && { value: value ?? '' }),
  onInput: (event: { readonly currentTarget: { readonly value: string } }) => onInput?.(event.currentTarget.value),
});

interface TypedProps<V> {
  readonly value: V;
  readonly read: (typed: string) => V;
  readonly write: (value: V) => string;
  readonly onChange: (value: V) => void;
  readonly children: (typed: Required<Pick<TextProps<unknown>, 'onInput'>> & { readonly value: string }) => JSX.Element;
}

/** A text that is read as a value. What was typed stays as it is while it means the value, so that one can type on. */
export function Typed<V>({ value, read, write, onChange, children }: TypedProps<V>): JSX.Element {
  const [typed, setTyped] = useState('');
  const means = JSON.stringify(read(typed)) === JSON.stringify(value);
  const onInput = (text: string): void => {
    setTyped(text);
    onChange(read(text));
  };
  return children({ value: means ? typed : write(value), onInput });
}

interface ChoiceProps extends NamedProps {
  readonly options: readonly (readonly [value: string, text: string, isDisabled?: boolean])[];
  readonly value: string; // the first one, if there is no `onChange`: the form reads what was chosen then
  readonly onChange?: (value: string) => void;
  readonly required?: boolean; // an option without a value is no choice
  readonly children?: ComponentChildren; // what hangs on the choice, below it
}

/** A choice of one of some words. */
export const Choice = ({ options, value, onChange, required, children, ...named }: ChoiceProps): JSX.Element => (
  <Field label={named.label} hint={named.hint} error={fieldFault(named.error, named.name)}>
    {(attributes) => (
      <>
        <select
          class="input"
          name={named.name}
          required={required}
          {...attributes}
          {...(onChange ? { value } : {})}
          onChange={(event) => onChange?.(event.currentTarget.value)}
        >
          {options.map(([id, shown, isDisabled]) => (
            <option key={id} value={id} disabled={isDisabled} selected={onChange ? undefined : id === value}>
              {shown}
            </option>
          ))}
        </select>
        {children}
      </>
    )}
  </Field>
);

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly name?: string; // for screen readers, if the label is not enough
}

/** A box to tick, with its label behind it. */
export const Check = ({ label, checked, onChange, name }: CheckProps): JSX.Element => (
  <label class="check">
    <input
      type="checkbox"
      checked={checked}
      aria-label={name}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />{' '}
    {label}
  </label>
);
