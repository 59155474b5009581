import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../model/text/text.ts';
import { topicText } from '../../model/text/topic-text.ts';
import { useApp } from '../context.tsx';
import { TextField } from '../ui/fields.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Button, type ButtonProps } from '../ui/ui.tsx';

interface NewThingProps<T> {
  readonly path: string; // of the collection
  readonly title: string;
  readonly kind?: ButtonProps['kind'];
  readonly onMade: (made: T) => void;
  readonly named?: { readonly field: string; readonly label: string }; // how its name is called; default: name
  readonly children?: ComponentChildren; // inputs for more fields
  readonly read?: (form: FormData) => object; // the fields of these inputs
  readonly isAllowed?: boolean; // default: whether the user may change topics and macros
}

/** A button and a dialog to add a new thing to a list, by its name and what else it needs; null if the user may not. */
export function NewThing<T = { readonly id: number }>(props: NewThingProps<T>): JSX.Element | null {
  const { path, title, kind = 'primary', onMade, isAllowed, children, read } = props;
  const { named = { field: 'name', label: topicText.name } } = props;
  const { api, mayWrite } = useApp();
  const [open, setOpen] = useState(false);
  if (!(isAllowed ?? mayWrite)) return null;
  const create = async (form: FormData): Promise<void> => {
    const body = { [named.field]: String(form.get(named.field)), ...read?.(form) };
    const { data } = await api.ask<T>(path, { method: 'POST', body });
    setOpen(false);
    onMade(data);
  };
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        {title}
      </Button>
      {open && (
        <FormDialog
          title={title}
          yes={text.edit.create}
          fields={[named.field]}
          onSend={create}
          onClose={() => setOpen(false)}
        >
          {(error) => (
            <>
              <TextField label={named.label} name={named.field} error={error} input={{ required: true }} />
              {children}
            </>
          )}
        </FormDialog>
      )}
    </>
  );
}
