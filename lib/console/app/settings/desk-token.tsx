import type { JSX } from 'preact';
import { deskWords as words } from '../../model/settings/desks.ts';
import { fieldFault } from '../ui/fields.tsx';
import { Field } from '../ui/ui.tsx';

/** The field of a token, with where the vendor makes it; what the help desk says of it stands there. */
export const Token = ({ hint, error }: { readonly hint: string; readonly error: unknown }): JSX.Element => (
  <Field label={words.token} hint={hint} error={fieldFault(error, 'credentials')}>
    {(attributes) => (
      <input class="input" name="token" type="password" autocomplete="new-password" required {...attributes} />
    )}
  </Field>
);
