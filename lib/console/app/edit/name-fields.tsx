import type { JSX } from 'preact';
import { TextArea, TextField } from '../ui/fields.tsx';
import type { Form } from './form.ts';

/** How a thing is called and described in a list. */
export interface Described {
  readonly name: string;
  readonly description: string | null;
}

/** Inputs for a name and a description, which follow the direction of the text. */
export const NameFields = ({ form }: { readonly form: Form<Described> }): JSX.Element => (
  <>
    <TextField {...form.text('name')} />
    <TextArea {...form.optional('description')} input={{ rows: 3 }} />
  </>
);
