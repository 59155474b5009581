import type { JSX, TargetedSubmitEvent } from 'preact';
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
  readonly onChange: () => void; // called when the list is out of date
}

/** A button and a dialog to add a new thing to a list by its name; null if the user may not. */
export function NewThing({ path, title, onMade, onChange }: NewThingProps): JSX.Element | null {
  const { api, mayWrite } = useApp();
  const [open, setOpen] = useState(false);
  const [error, setError] = useState<unknown>();
  if (!mayWrite) return null;
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name'));
    try {
      const { data } = await api.ask<{ id: number }>(path, { method: 'POST', body: { name } });
      setOpen(false);
      onChange();
      onMade(data.id);
    } catch (fault) {
      setError(fault);
    }
  };
  const [code] = faultsOf(error, 'name');
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        {title}
      </Button>
      {open && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <form onSubmit={submit} method="dialog">
            {isGeneral(error) && <Trouble error={error} />}
            <Field label={text.topics.name} error={code && faultText('name', code)}>
              {(attributes) => <input {...attributes} class="input" name="name" dir="auto" required />}
            </Field>
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
