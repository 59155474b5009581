import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isOneNumber } from '../model/mail.ts';
import { stateOf } from '../model/report/report-open.ts';
import { writeReportState } from '../model/report/report-state.ts';
import { boardText } from '../model/text/board-text.ts';
import { savedText } from '../model/text/saved-text.ts';
import { text } from '../model/text/text.ts';
import type { Ask } from './api.ts';
import { useAttempts, useSaidAttempt } from './attempt.ts';
import { useApp, useSiteClock } from './context.tsx';
import { allOf, type Page, useResource } from './edit/resource.ts';
import { go, href } from './location.ts';
import { MailThis, WatchThis } from './mail-this.tsx';
import { SAVED_REPORTS, type SavedReport } from './report/save.tsx';
import { Thing } from './thing.tsx';
import { Trouble } from './trouble.tsx';
import { Confirm } from './ui/dialog.tsx';
import { TextArea, TextField } from './ui/fields.tsx';
import { FormDialog } from './ui/form-dialog.tsx';
import { Button, Empty, Skeleton } from './ui/ui.tsx';
import { usesOf } from './uses.ts';

/** Opens a saved report by its id alone, as links in mails do: its place is taken by the report's own address. */
export function OpenSaved({ id }: { readonly id: string }): JSX.Element {
  const { data, error } = useResource<SavedReport>(`${SAVED_REPORTS}/${encodeURIComponent(id)}`);
  useEffect(() => {
    if (data !== undefined) go(addressOf(data), true);
  }, [data]);
  return (
    <div class="page">
      <h1>{text.saved.title}</h1>
      {error === undefined ? <Skeleton tall /> : <Trouble error={error} />}
    </div>
  );
}

const addressOf = ({ id, request }: SavedReport): string =>
  href('/report', writeReportState({ ...stateOf(request), saved: String(id) }));

/** The page with saved reports. Opening one shows its relative period as of today, not as of the day when it was saved. */
export function SavedPage(): JSX.Element {
  const { api, say } = useApp();
  const list = useResource<Page<SavedReport>>(allOf(SAVED_REPORTS));
  const { error, attempt } = useAttempts();
  const [renaming, setRenaming] = useState<SavedReport | undefined>();
  const reports = list.data?._embedded.entries;
  const act = async (path: string, asked: Ask, done: string): Promise<void> => {
    await api.ask(path, asked);
    say(done);
    list.reload();
  };
  const duplicate = ({ name, description, request }: SavedReport): Promise<void> => {
    const body = { name: savedText.copyOf(name), description, request };
    return attempt(() => act(SAVED_REPORTS, { method: 'POST', body }, text.edit.saved));
  };
  const remove = ({ id }: SavedReport): Promise<void> =>
    attempt(() => act(`${SAVED_REPORTS}/${id}`, { method: 'DELETE' }, text.edit.removed));
  return (
    <div class="page">
      <h1>{text.saved.title}</h1>
      <Trouble error={list.error ?? error} onAgain={list.reload} />
      {reports === undefined && list.error === undefined && <Skeleton tall />}
      {reports?.length === 0 && (
        <Empty title={savedText.empty} hint={savedText.emptyHint}>
          <a class="button primary" href={href('/report')}>
            {savedText.build}
          </a>
        </Empty>
      )}
      <ol class="things">
        {reports?.map((report) => (
          <SavedItem
            key={report.id}
            report={report}
            onRename={() => setRenaming(report)}
            onDuplicate={() => duplicate(report)}
            onRemove={() => void remove(report)}
          />
        ))}
      </ol>
      {renaming && (
        <RenameDialog
          report={renaming}
          onClose={() => setRenaming(undefined)}
          onRename={async (body) => {
            await act(`${SAVED_REPORTS}/${renaming.id}`, { method: 'PATCH', body }, text.edit.saved);
            setRenaming(undefined);
          }}
        />
      )}
    </div>
  );
}

interface SavedItemProps {
  readonly report: SavedReport;
  readonly onRename: () => void;
  readonly onDuplicate: () => Promise<void>;
  readonly onRemove: () => void;
}

function SavedItem({ report, onRename, onDuplicate, onRemove }: SavedItemProps): JSX.Element {
  const { format, names } = useApp();
  const clock = useSiteClock();
  const { id, name, description, request, updated_at } = report;
  const state = stateOf(request);
  const by = [state.by, state.and].flatMap((dimension) => (dimension === null ? [] : [names.label(dimension)]));
  return (
    <Thing mark="▤" target={addressOf(report)} name={name} description={description}>
      <p class="tags">
        <span>{text.listAnd([...state.fields.map(names.field), ...by])}</span>
        <span>{savedText.updated(format.date(clock(updated_at)))}</span>
      </p>
      <p class="row">
        <Button kind="quiet" label={`${savedText.rename}: ${name}`} onClick={onRename}>
          {savedText.rename}
        </Button>
        <Button kind="quiet" label={`${savedText.duplicate}: ${name}`} onClick={onDuplicate}>
          {savedText.duplicate}
        </Button>
        <RemoveReport report={report} onRemove={onRemove} />
        <MailThis saved_report={id} name={name} />
        {isOneNumber(request) && <WatchThis saved_report={id} name={name} />}
      </p>
    </Thing>
  );
}

/** Deletes a report, and says before which boards, mails and alerts use it. */
function RemoveReport({ report, onRemove }: Pick<SavedItemProps, 'report' | 'onRemove'>): JSX.Element {
  const app = useApp();
  const attempt = useSaidAttempt();
  const [question, setQuestion] = useState<string | undefined>();
  const { id, name } = report;
  const ask = (): Promise<void> =>
    attempt(async () => {
      const uses = await usesOf(app, id);
      setQuestion(uses.length === 0 ? savedText.confirm(name) : boardText.used.ask(name, text.listAnd(uses)));
    });
  return (
    <>
      <Button kind="quiet" label={`${savedText.remove}: ${name}`} onClick={ask}>
        {savedText.remove}
      </Button>
      {question !== undefined && (
        <Confirm question={question} yes={savedText.remove} onYes={onRemove} onClose={() => setQuestion(undefined)} />
      )}
    </>
  );
}

interface RenameDialogProps {
  readonly report: SavedReport;
  readonly onClose: () => void;
  readonly onRename: (fields: { name: string; description: string | null }) => Promise<void>;
}

const RenameDialog = ({ report, onClose, onRename }: RenameDialogProps): JSX.Element => (
  <FormDialog
    title={savedText.rename}
    yes={text.edit.save}
    fields={['name', 'description']}
    onSend={(form) =>
      onRename({ name: String(form.get('name')), description: String(form.get('description')) || null })
    }
    onClose={onClose}
  >
    {(error) => (
      <>
        <TextField
          label={text.report.name}
          name="name"
          error={error}
          input={{ defaultValue: report.name, required: true }}
        />
        <TextArea
          label={text.report.description}
          name="description"
          error={error}
          input={{ defaultValue: report.description ?? '' }}
        />
      </>
    )}
  </FormDialog>
);
