import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { FileImport } from '../../model/file-import.ts';
import { text } from '../../model/text.ts';
import { ApiError } from '../api.ts';
import { useApp } from '../context.tsx';
import { type Page, useResource } from '../edit/resource.ts';
import { go, href } from '../location.ts';
import { Thing } from '../thing.tsx';
import { Trouble } from '../trouble.tsx';
import { Button, Notice, Skeleton } from '../ui.tsx';
import { Bar } from './bar.tsx';
import { type Sending, sendFile } from './upload.ts';

const PATH = '/api/v2/imports';

/** How history gets in: a place to drop a file, and the files that came before. */
export function ImportsPage(): JSX.Element {
  const list = useResource<Page<FileImport>>(`${PATH}?per_page=50`);
  const { mayImport } = useApp();
  if (!mayImport) {
    return (
      <div class="page">
        <h1>{text.importing.title}</h1>
        <Notice>{text.importing.notYou}</Notice>
      </div>
    );
  }
  const files = list.data?._embedded.entries;
  return (
    <div class="page narrow">
      <h1>{text.importing.title}</h1>
      <DropZone />
      <Trouble error={list.error} onAgain={list.reload} />
      {files === undefined && list.error === undefined && <Skeleton />}
      {files !== undefined && files.length > 0 && (
        <section class="stack" aria-labelledby="before">
          <h2 id="before">{text.importing.before}</h2>
          <ol class="things">
            {files.map((file) => (
              <FileItem key={file.id} file={file} />
            ))}
          </ol>
        </section>
      )}
      <Tour />
    </div>
  );
}

/** Takes a file by drop or by choice, and leads to its page once all of it has left. */
function DropZone(): JSX.Element {
  const { api, say } = useApp();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [sending, setSending] = useState<Sending | undefined>();
  const [share, setShare] = useState(0);
  const [error, setError] = useState<unknown>();
  const send = (file: File | undefined): void => {
    if (file === undefined || sending !== undefined) return;
    setError(undefined);
    setShare(0);
    const next = sendFile(api.credentials, file, setShare);
    setSending(next);
    next.done
      .then(
        ({ id }) => go(href(`/import/${id}`)),
        (fault: unknown) => {
          if (fault instanceof ApiError && fault.message === 'cancelled') say(text.busy.cancelled);
          else setError(fault);
        },
      )
      .finally(() => setSending(undefined));
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    send(event.dataTransfer?.files[0]);
  };
  return (
    <div class="stack">
      {error !== undefined && <UploadTrouble error={error} />}
      <div
        class={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {sending ? (
          <>
            <Bar label={text.importing.sending} share={share} />
            <Button onClick={sending.cancel}>{text.busy.cancel}</Button>
          </>
        ) : (
          <>
            <p class="large">{text.importing.drop}</p>
            <input
              ref={input}
              type="file"
              id="file"
              class="hidden"
              tabIndex={-1}
              aria-label={text.importing.choose}
              onChange={(event) => {
                send(event.currentTarget.files?.[0]);
                event.currentTarget.value = ''; // the same file may be chosen again
              }}
            />
            <Button kind="primary" onClick={() => input.current?.click()}>
              {text.importing.choose}
            </Button>
            <p class="quiet small">{text.importing.hint}</p>
          </>
        )}
      </div>
    </div>
  );
}

/** Why a file did not arrive: nothing of it is kept then. */
function UploadTrouble({ error }: { readonly error: unknown }): JSX.Element {
  const status = error instanceof ApiError ? error.status : undefined;
  const sentence =
    status === 0
      ? text.importing.dropped
      : status === 409
        ? text.importing.busy
        : status === 413
          ? text.importing.tooLarge
          : undefined;
  return sentence === undefined ? <Trouble error={error} /> : <Notice kind="error">{sentence}</Notice>;
}

function FileItem({ file }: { readonly file: FileImport }): JSX.Element {
  const { format } = useApp();
  const { id, name, by, state, created_at, result } = file;
  return (
    <Thing mark="⇪" target={href(`/import/${id}`)} name={name} description={null}>
      <p class="tags">
        <span class={state === 'failed' || state === 'interrupted' ? 'tag missing' : 'tag'}>
          {text.importing.states[state]}
        </span>
        {result && state === 'loaded' && <span>{text.importing.added(format.count(result.added))}</span>}
        <span>{format.moment(created_at)}</span>
        <span>{by}</span>
      </p>
    </Thing>
  );
}

/** Where somebody without a file can look around: the demo site, which a service on this machine makes at its first start. */
export function Tour(): JSX.Element | null {
  const { hostname, protocol, port } = location;
  if (!/^(127\.|\[::1\]|(.*\.)?localhost$)/.test(hostname) || hostname.startsWith('demo.')) return null;
  return (
    <p class="quiet">
      {text.importing.tourHint}{' '}
      <a href={`${protocol}//demo.localhost${port === '' ? '' : `:${port}`}/console`}>{text.importing.tour}</a>
    </p>
  );
}
