import type { ComponentChildren, JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../model/text/text.ts';
import { ApiError } from '../api.ts';
import { Trouble } from '../trouble.tsx';
import { Dialog } from './dialog.tsx';
import { useOnce } from './once.ts';
import { Button } from './ui.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly yes: string;
  readonly fields: readonly string[]; // whose faults the children show
  readonly onSend: (form: FormData) => Promise<void>; // closes the dialog if it succeeds
  readonly onClose: () => void;
  readonly children: (error: unknown) => ComponentChildren;
}

/** A dialog with a form; it stays open with what the service refused. */
export function FormDialog({ title, yes, fields, onSend, onClose, children }: FormDialogProps): JSX.Element {
  const [error, setError] = useState<unknown>();
  const send = useOnce((form: FormData) => {
    setError(undefined);
    return onSend(form).catch(setError);
  });
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send(new FormData(event.currentTarget));
  };
  const isShown = error instanceof ApiError && error.faults.some(({ field }) => fields.includes(field));
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="editor" onSubmit={submit} method="dialog">
        {!isShown && <Trouble error={error} />}
        {children(error)}
        <p class="row end">
          <Button onClick={onClose}>{text.edit.cancel}</Button>
          <button type="submit" class="button primary">
            {yes}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
