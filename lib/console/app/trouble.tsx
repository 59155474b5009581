import type { ComponentChildren, JSX } from 'preact';
import { Superseded } from '../model/queue.ts';
import { faultText, text } from '../model/text/text.ts';
import { ApiError } from './api.ts';
import { Button, Notice } from './ui/ui.tsx';

/** The text of an error. */
export function troubleText(error: unknown): string {
  if (error instanceof Superseded) return text.busy.cancelled;
  if (!(error instanceof ApiError)) return text.error.title;
  if (error.status === 0) return text.error.network;
  if (error.status === 403) return text.error.forbidden;
  if (error.status === 404) return text.error.notFound;
  if (error.status === 409) return text.error.conflict;
  if (error.status === 410) return text.error.gone;
  if (error.status === 412) return text.edit.changedTitle;
  if (error.faults.some(isLargeReport)) return text.error.tooLarge;
  if (error.status === 422)
    return error.faults.map(({ field, code, message }) => message ?? faultText(field, code)).join('; ');
  return error.status >= 500 ? text.error.unavailable : text.error.unexpected(error.status);
}

/** Whether a fault is that a report is too large; other things that are too large say so in a sentence of their own. */
const isLargeReport = ({ code, field }: ApiError['faults'][number]): boolean =>
  code === 'too_large' && field.startsWith('time');

interface TroubleProps {
  readonly error: unknown;
  readonly onAgain?: () => unknown;
  readonly children?: ComponentChildren; // other next steps
}

/** An error with buttons for what to do next; null without an error. */
export function Trouble({ error, onAgain, children }: TroubleProps): JSX.Element | null {
  if (error === undefined) return null;
  return (
    <Notice kind="error">
      <p>{troubleText(error)}</p>
      <p class="row">
        {children}
        {onAgain && <Button onClick={onAgain}>{text.error.again}</Button>}
      </p>
    </Notice>
  );
}
