import { text } from '../../model/text/text.ts';

/** What a form is of: its fields (`F`) with their labels, and how they are read from the resource (`T`). */
export interface FormKind<T, F> {
  readonly labels: Readonly<Record<keyof F & string, string>>;
  readonly read: (data: T) => F;
  readonly show: (fields: F) => Readonly<Record<string, string>>; // texts by label, to compare both sides of a conflict
}

/** A form whose fields are those of the resource with the same names. */
export const formKind = <F extends object>(labels: FormKind<F, F>['labels']): FormKind<F, F> => ({
  labels,
  read: (data) => data,
  show: (fields) => {
    const values = new Map<string, unknown>(Object.entries(fields));
    return Object.fromEntries(
      Object.entries<string>(labels).map(([name, label]) => [label, shownValue(values.get(name))]),
    );
  },
});

function shownValue(value: unknown): string {
  if (typeof value === 'boolean') return text.yesNo[Number(value)] ?? '';
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}

/** The fields of a form alone, without what else the resource has. */
export const fieldsOf = <F extends object>(fields: F, labels: FormKind<F, F>['labels']): object =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(labels, name)));

/** The names of the fields whose values are of a type. */
type NamesOf<F, V> = { [K in keyof F & string]: F[K] extends V ? K : never }[keyof F & string];

/** What every input of a field shows. */
interface Shown {
  readonly label: string;
  readonly name: string;
  readonly error: unknown;
}

interface TextShown extends Shown {
  readonly value: string;
  readonly onInput: (typed: string) => void;
}

interface ChoiceShown extends Shown {
  readonly value: string;
  readonly onChange: (chosen: string) => void;
}

interface CheckShown {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** The fields of a form as they stand, with the properties of their inputs. */
export interface Form<F> {
  readonly fields: F;
  readonly error: unknown; // of the last write
  readonly change: (part: Partial<F>) => void;
  readonly text: (name: NamesOf<F, string>) => TextShown;
  /** Of a text that may be null: nothing typed is null. */
  readonly optional: (name: NamesOf<F, string | null>) => TextShown;
  readonly choice: (name: NamesOf<F, string>) => ChoiceShown;
  readonly check: (name: NamesOf<F, boolean>) => CheckShown;
}

/** Makes the inputs of fields; `set` takes them as they are after a change. */
export function createForm<F extends object>(
  fields: F,
  labels: FormKind<F, F>['labels'],
  error: unknown,
  set: (fields: F) => void,
): Form<F> {
  const values = new Map<string, unknown>(Object.entries(fields));
  const shown = (name: keyof F & string) => ({
    label: labels[name],
    name,
    error,
    value: String(values.get(name) ?? ''),
  });
  return {
    fields,
    error,
    change: (part) => set({ ...fields, ...part }),
    text: (name) => ({ ...shown(name), onInput: (typed) => set({ ...fields, [name]: typed }) }),
    optional: (name) => ({ ...shown(name), onInput: (typed) => set({ ...fields, [name]: typed || null }) }),
    choice: (name) => ({ ...shown(name), onChange: (chosen) => set({ ...fields, [name]: chosen }) }),
    check: (name) => ({
      label: labels[name],
      checked: values.get(name) === true,
      onChange: (checked) => set({ ...fields, [name]: checked }),
    }),
  };
}
