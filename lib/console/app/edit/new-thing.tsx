import type { ComponentChildren, JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { faultText, text } from '../../model/text.ts';
import { useApp } from '../context.tsx';
import { Trouble } from '../trouble.tsx';
import { Button, Dialog, Field } from '../ui.tsx';
import { faultsOf, isGeneral } from './resource.ts';

interface NewThingProps {
  readonly path: string; // of the collection
  readonly title: string;
  readonly onMade: (id: number) => void;
  readonly onChange?: () => void; // called when the list is out of date
  readonly named?: { readonly field: string; readonly label: string }; // how its name is called; default: name
  readonly children?: ComponentChildren; // inputs for more fields
  readonly read?: (form: FormData) => object; // the fields of these inputs
  readonly isAllowed?: boolean; // default: whether the user may change topics and macros
}

/** A button and a dialog to add a new thing to a list, by its name and what else it needs; null if the user may not. */
export function NewThing(props: NewThingProps): JSX.Element | null {
  const { path, title, onMade, onChange, isAllowed, children, read } = props;
  const { named = { field: 'name', label: text.topics.name } } = props;
  const { api, mayWrite } = useApp();
  const [open, setOpen] = useState(false);
  const [error, setError] = useState<unknown>();
  if (!(isAllowed ?? mayWrite)) return null;
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = { [named.field]: String(form.get(named.field)), ...read?.(form) };
    try {
      const { data } = await api.ask<{ id: number }>(path, { method: 'POST', body });
      setOpen(false);
      onChange?.();
      onMade(data.id);
    } catch (fault) {
      setError(fault);
    }
  };
  const [code] = faultsOf(error, named.field);
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        {title}
      </Button>
      {open && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <form onSubmit={submit} method="dialog">
            {isGeneral(error) && <Trouble error={error} />}
            <Field label={named.label} error={code && faultText(named.field, code)}>
              {(attributes) => <input {...attributes} class="input" name={named.field} dir="auto" required />}
            </Field>
            {children}
            <p class="row end">
              <Button onClick={() => setOpen(false)}>{text.edit.cancel}</Button>
              <button type="submit" class="button primary">
                {text.edit.create}
              </button>
            </p>
          </form>
        </Dialog>
      )}
    </>
  );
}
