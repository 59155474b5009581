import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { FileImport } from '../../model/file-import.ts';
import { importText } from '../../model/text/import-text.ts';
import { text } from '../../model/text/text.ts';
import { ApiError } from '../api.ts';
import { useApp } from '../context.tsx';
import { Trouble } from '../trouble.tsx';
import { useIsGone } from '../ui/once.ts';
import { Button, Notice } from '../ui/ui.tsx';
import { ProgressBar } from './bar.tsx';
import type { Sending, ToSend } from './upload.ts';

interface DropZoneProps {
  readonly send: (toSend: ToSend) => Sending;
  readonly onSent: (file: FileImport) => void;
}

/** Lets the user drop or choose a file, and sends it. */
export function DropZone({ send, onSent }: DropZoneProps): JSX.Element {
  const { say } = useApp();
  const [sending, setSending] = useState<Sending | undefined>();
  const [share, setShare] = useState(0);
  const [error, setError] = useState<unknown>();
  const isGone = useIsGone();
  const begin = (file: File | undefined): void => {
    if (file === undefined || sending !== undefined) return;
    setError(undefined);
    setShare(0);
    const next = send({ file, onShare: setShare });
    setSending(next);
    next.done
      .then(
        (sent) => isGone.current || onSent(sent), // who has left the page meanwhile is not led away
        (fault: unknown) => {
          if (fault instanceof ApiError && fault.message === 'cancelled') say(text.busy.cancelled);
          else setError(fault);
        },
      )
      .finally(() => setSending(undefined));
  };
  return (
    <div class="stack">
      {error !== undefined && <UploadTrouble error={error} />}
      <DropTarget onFile={begin}>
        {sending && (
          <>
            <ProgressBar label={importText.sending} share={share} />
            <Button onClick={sending.cancel}>{text.busy.cancel}</Button>
          </>
        )}
      </DropTarget>
    </div>
  );
}

interface DropTargetProps {
  readonly onFile: (file: File | undefined) => void;
  readonly children: JSX.Element | undefined; // the progress; undefined while there is no file
}

function DropTarget({ onFile, children }: DropTargetProps): JSX.Element {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer?.files[0]);
  };
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children ?? <Choice onFile={onFile} />}
    </div>
  );
}

function Choice({ onFile }: Pick<DropTargetProps, 'onFile'>): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <p class="large">{importText.drop}</p>
      <input
        ref={input}
        type="file"
        id="file"
        class="hidden"
        tabIndex={-1}
        aria-label={importText.choose}
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0]);
          event.currentTarget.value = ''; // so that the same file can be chosen again
        }}
      />
      <Button kind="primary" onClick={() => input.current?.click()}>
        {importText.choose}
      </Button>
      <p class="quiet small">{importText.hint}</p>
    </>
  );
}

/** Says why a file did not arrive; nothing of it was stored. */
function UploadTrouble({ error }: { readonly error: unknown }): JSX.Element {
  const status = error instanceof ApiError ? error.status : undefined;
  const sentence =
    status === 0
      ? importText.dropped
      : status === 409
        ? importText.busy
        : status === 413
          ? importText.tooLarge
          : undefined;
  return sentence === undefined ? <Trouble error={error} /> : <Notice kind="error">{sentence}</Notice>;
}
