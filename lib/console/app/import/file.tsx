import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Doubt, SayWrong } from '../../model/doubts.ts';
import { type FileImport, isWorking, mayBeUnknown } from '../../model/file-import.ts';
import { daysBetween } from '../../model/period.ts';
import { importText } from '../../model/text/import-text.ts';
import { text } from '../../model/text/text.ts';
import type { Api, Ask } from '../api.ts';
import { useApp } from '../context.tsx';
import { href } from '../location.ts';
import { saveFile } from '../save-file.ts';
import { Trouble } from '../trouble.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { Button, Notice, Skeleton } from '../ui/ui.tsx';
import { ProgressBar } from './bar.tsx';
import { Correction } from './correction.tsx';
import { DropZone } from './drop-zone.tsx';
import { Outcome } from './outcome.tsx';
import { QuestionCards } from './question-cards.tsx';
import { sendWaiting } from './upload.ts';
import { Wrong } from './wrong.tsx';

const ASKED_EVERY = 700; // ms, while the import is in progress

/** The page of one file: what was recognised in it, what it would add, and how to load and undo it. */
export function FilePage({ id }: { readonly id: string }): JSX.Element {
  const { api, leaving, refresh } = useApp();
  const path = `/api/v2/imports/${encodeURIComponent(id)}`;
  const [file, setFile] = useState<FileImport | undefined>();
  const [error, setError] = useState<unknown>();
  const ask = async (where: string, options: Ask = {}): Promise<void> => {
    try {
      const { data } = await api.ask<FileImport>(where, options);
      // Numbers, and what the site's files tell, may be more or less now.
      if (file !== undefined && file.state !== data.state && !isWorking(data)) refresh();
      setFile(data);
      setError(undefined);
    } catch (fault) {
      setError(fault);
    }
  };
  useEffect(() => void ask(path), [path]);
  useEffect(() => {
    if (file === undefined || !isWorking(file)) return undefined;
    const timer = setTimeout(() => void ask(path), ASKED_EVERY);
    return () => clearTimeout(timer);
  }, [file, error]);
  const isAtWork = useRef(false);
  isAtWork.current = file !== undefined && isWorking(file);
  useEffect(() => () => void (isAtWork.current && untilDone(api, path, leaving).then(refresh, () => undefined)), []);
  const [doubt, setDoubt] = useState<Doubt | undefined>();
  const proposal = file?.can.includes('correct') ? file.proposal : null;
  const onWrong = proposal === null ? undefined : setDoubt;
  const step = (what: 'check' | 'load' | 'undo'): Promise<void> => ask(`${path}/${what}`, { method: 'POST' });
  return (
    <div class="page">
      <p>
        <a href={href('/import')}>{importText.all}</a>
      </p>
      <h1 dir="auto">{file?.name ?? text.importing.title}</h1>
      <Trouble error={error} onAgain={() => ask(path)} />
      {file === undefined && error === undefined && <Skeleton tall />}
      {file && <State file={file} onStep={step} onSent={setFile} onWrong={onWrong} />}
      {file?.can.includes('correct') && mayBeUnknown(file) && (
        <Notice>
          <p>{importText.another}</p>
          <Button kind="primary" onClick={() => ask(path, { method: 'PATCH', body: { format: 'csv' } })}>
            {importText.asUnknown}
          </Button>
        </Notice>
      )}
      {file?.can.includes('correct') && file.questions.length > 0 && (
        <QuestionCards
          key={file.questions.map(({ id }) => id).join(' ')}
          questions={file.questions}
          header={headerOf(file)}
          onAnswer={(answers) => ask(path, { method: 'PATCH', body: { answers } })}
        />
      )}
      {file?.can.includes('correct') && file.state !== 'loaded' && (
        <Correction
          key={`${file.id} ${JSON.stringify(file.answers)} ${file.state}`}
          file={file}
          onTry={(body) => ask(path, { method: 'PATCH', body })}
          onWrong={setDoubt}
        />
      )}
      {file?.state === 'checked' && file.check && (
        <Outcome outcome={file.check} stories={file.check.stories} isDry onWrong={onWrong} />
      )}
      {file && proposal && doubt && (
        <Wrong
          key={JSON.stringify(doubt)}
          {...{ file, proposal, doubt }}
          onDoubt={setDoubt}
          onAnswer={(answers) => ask(path, { method: 'PATCH', body: { answers } })}
          onClose={() => setDoubt(undefined)}
        />
      )}
    </div>
  );
}

/** Waits until nothing works on a file any more, once its page is left. Throws when its user leaves. */
async function untilDone(api: Api, path: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, ASKED_EVERY));
    signal.throwIfAborted();
    if (!isWorking((await api.ask<FileImport>(path, { signal })).data)) return;
  }
}

/** The query of the period that a file brought; none if it has no events. */
function loadedPeriod({ result }: FileImport, zone = 'UTC'): URLSearchParams {
  if (typeof result?.first_at !== 'string' || typeof result.last_at !== 'string') return new URLSearchParams();
  const { from, until } = daysBetween(result.first_at, result.last_at, zone);
  return new URLSearchParams({ from, until });
}

const headerOf = ({ preview }: FileImport): readonly string[] =>
  preview !== null && 'header' in preview ? preview.header : [];

interface StateProps {
  readonly file: FileImport;
  readonly onStep: (step: 'check' | 'load' | 'undo') => Promise<void>;
  readonly onSent: (file: FileImport) => void;
  readonly onWrong: SayWrong | undefined;
}

/** The state of an import, with the next steps. */
function State({ file, onStep, onSent, onWrong }: StateProps): JSX.Element {
  const { definitions } = useApp();
  const { state, can, problem, result, check } = file;
  if (isWorking(file)) return <Working file={file} />;
  if (file.upload !== null) return <Waiting file={file} onSent={onSent} onDiscard={() => onStep('undo')} />;
  const isBad = state === 'failed' || state === 'interrupted';
  const kind = isBad ? 'error' : state === 'loaded' ? 'good' : 'info';
  return (
    <>
      <Notice kind={kind}>
        <p>{problem ?? sentenceOf(file)}</p>
        <p class="row">
          {can.includes('check') && (
            <Button kind="primary" onClick={() => onStep('check')}>
              {importText.check}
            </Button>
          )}
          {can.includes('load') && (check?.events ?? 0) + Object.keys(check?.records ?? {}).length > 0 && (
            <Button kind="primary" onClick={() => onStep('load')}>
              {state === 'checked' ? importText.load : importText.goOn}
            </Button>
          )}
          {state === 'loaded' && (
            <a class="button primary" href={href('', loadedPeriod(file, definitions?.site.time_zone))}>
              {importText.look}
            </a>
          )}
          <RejectedButton file={file} />
          {can.includes('undo') && result === null && (
            <Button onClick={() => onStep('undo')}>
              {state === 'interrupted' ? importText.undo : importText.discard}
            </Button>
          )}
          {can.includes('undo') && result !== null && (
            <ConfirmButton
              kind="danger"
              question={importText.confirmUndo(file.name)}
              yes={importText.undo}
              onYes={() => onStep('undo')}
            >
              {importText.undo}
            </ConfirmButton>
          )}
        </p>
      </Notice>
      {result && state !== 'undone' && (
        <Outcome outcome={result} stories={check?.stories ?? []} isDry={false} onWrong={onWrong} />
      )}
    </>
  );
}

interface WaitingProps {
  readonly file: FileImport;
  readonly onSent: (file: FileImport) => void;
  readonly onDiscard: () => Promise<void>;
}

/** An import that waits for its file: the upload may have been interrupted. */
function Waiting({ file, onSent, onDiscard }: WaitingProps): JSX.Element {
  const { api } = useApp();
  return (
    <>
      <Notice>
        <p>{importText.waits(file.name)}</p>
        <Button onClick={onDiscard}>{importText.discard}</Button>
      </Notice>
      <DropZone send={(toSend) => sendWaiting(api, file, toSend)} onSent={onSent} />
    </>
  );
}

function sentenceOf({ state, check, result, format, why, questions }: FileImport): string {
  if (questions.length > 0) return importText.asks(questions.length);
  if (state === 'checked')
    return importText.checked(importText.formats[format ?? ''] ?? format ?? '', why ?? '', check?.rejected ?? 0);
  if (state === 'loaded') return importText.loaded(result?.rejected ?? 0);
  return importText.sentences[state] ?? importText.states[state];
}

/** The current step of an import and its progress. */
function Working({ file: { state, progress } }: { readonly file: FileImport }): JSX.Element {
  const { format } = useApp();
  const step = progress && state !== 'checking' ? importText.steps[progress.step] : importText.states[state];
  return (
    <section class="card" aria-live="polite">
      <ProgressBar label={step} share={progress?.share ?? null} />
      {progress && progress.events > 0 && <p class="quiet">{importText.events(format.count(progress.events))}</p>}
    </section>
  );
}

/** Downloads the rejected lines. A plain link would send no credentials. */
function RejectedButton({ file: { id, result, _links } }: { readonly file: FileImport }): JSX.Element | null {
  const { api } = useApp();
  const [error, setError] = useState<unknown>();
  const { rejected } = _links;
  if (rejected === null || result === null) return null;
  const download = async (): Promise<void> => {
    try {
      const body = await api.text(rejected.href);
      saveFile(new Blob([body]), `import-${id}.rejected.${body.startsWith('{') ? 'ndjson' : 'csv'}`);
    } catch (fault) {
      setError(fault);
    }
  };
  return (
    <>
      <Button onClick={download}>{importText.rejected(result.rejected)}</Button>
      <Trouble error={error} />
    </>
  );
}
