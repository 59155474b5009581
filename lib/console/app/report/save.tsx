import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ReportBody } from '../../model/report-request.ts';
import { text } from '../../model/text.ts';
import { useApp } from '../context.tsx';
import { Trouble } from '../trouble.tsx';
import { Button, Dialog, Field } from '../ui.tsx';

interface SaveDialogProps {
  readonly request: ReportBody;
  readonly onClose: () => void;
}

/** Asks for a name and saves the report's request under it. */
export function SaveDialog({ request, onClose }: SaveDialogProps): JSX.Element {
  const { api, say } = useApp();
  const [error, setError] = useState<unknown>();
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = String(form.get('name'));
    const description = String(form.get('description')) || null;
    try {
      await api.ask('/api/v2/saved_reports', { method: 'POST', body: { name, description, request } });
      say(text.report.saved(name));
      onClose();
    } catch (fault) {
      setError(fault);
    }
  };
  return (
    <Dialog title={text.report.saveTitle} onClose={onClose}>
      <form onSubmit={submit} method="dialog">
        <Field label={text.report.name}>
          {(attributes) => <input {...attributes} class="input" name="name" required />}
        </Field>
        <Field label={text.report.description}>
          {(attributes) => <textarea {...attributes} class="input" name="description" rows={2} />}
        </Field>
        <Trouble error={error} />
        <p class="row end">
          <Button onClick={onClose}>{text.edit.cancel}</Button>
          <button type="submit" class="button primary">
            {text.report.save}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
