import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { FileImport } from '../../model/file-import.ts';
import { importText } from '../../model/text/import-text.ts';
import { text } from '../../model/text/text.ts';
import { useApp, useSiteClock } from '../context.tsx';
import { type Page, useResource } from '../edit/resource.ts';
import { go, href } from '../location.ts';
import { Thing } from '../thing.tsx';
import { Trouble } from '../trouble.tsx';
import { Notice, Skeleton } from '../ui/ui.tsx';
import { DropZone } from './drop-zone.tsx';
import { Tour } from './tour.tsx';
import { type Sending, sendFile, sendWaiting, type ToSend } from './upload.ts';

const PATH = '/api/v2/imports';

/** The page to import files: a zone to drop a file, and the imports so far. */
export function ImportsPage(): JSX.Element {
  const list = useResource<Page<FileImport>>(`${PATH}?per_page=50`);
  const { mayImport } = useApp();
  if (!mayImport) {
    return (
      <div class="page">
        <h1>{text.importing.title}</h1>
        <Notice>{importText.notYou}</Notice>
      </div>
    );
  }
  const files = list.data?._embedded.entries;
  return (
    <div class="page narrow">
      <h1>{text.importing.title}</h1>
      <NewFile />
      <Trouble error={list.error} onAgain={list.reload} />
      {files === undefined && list.error === undefined && <Skeleton />}
      {files !== undefined && files.length > 0 && (
        <section class="stack" aria-labelledby="before">
          <h2 id="before">{importText.before}</h2>
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

/** Sends a file and then opens its page. After an interrupted upload it sends the file to the waiting import. */
function NewFile(): JSX.Element {
  const { api } = useApp();
  const waiting = useRef<FileImport | undefined>(undefined);
  const send = (toSend: ToSend): Sending => {
    const { current } = waiting;
    if (current?.name === toSend.file.name) return sendWaiting(api, current, toSend);
    return sendFile(api, toSend, (made) => {
      waiting.current = made;
    });
  };
  return <DropZone send={send} onSent={({ id }) => go(href(`/import/${id}`))} />;
}

function FileItem({ file }: { readonly file: FileImport }): JSX.Element {
  const { format } = useApp();
  const clock = useSiteClock();
  const { id, name, by, state, created_at, result } = file;
  return (
    <Thing mark="⇪" target={href(`/import/${id}`)} name={name} description={null}>
      <p class="tags">
        <span class={state === 'failed' || state === 'interrupted' ? 'tag missing' : 'tag'}>
          {importText.states[state]}
        </span>
        {result && state === 'loaded' && <span>{importText.added(format.count(result.added))}</span>}
        <span>{format.moment(clock(created_at))}</span>
        <span>{by}</span>
      </p>
    </Thing>
  );
}
