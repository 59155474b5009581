import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { stateOf } from '../../model/report/report-open.ts';
import { requestOf } from '../../model/report/report-request.ts';
import { type ReportState, writeReportState } from '../../model/report/report-state.ts';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { Conflict } from '../edit/conflict.tsx';
import { allOf, type Page, type Resource, useResource } from '../edit/resource.ts';
import { useWrites } from '../edit/writes.ts';
import { go, href } from '../location.ts';
import { Trouble } from '../trouble.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea, TextField } from '../ui/fields.tsx';
import { useOnce } from '../ui/once.ts';
import { Button, Notice } from '../ui/ui.tsx';
import { useUnsaved } from '../unsaved.tsx';

export const SAVED_REPORTS = '/api/v2/saved_reports';

export interface SavedReport {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly request: unknown;
  readonly updated_at: string;
}

/** The saved report that a state began as, and whether the state differs from it. */
export interface OpenedReport {
  readonly resource: Resource<SavedReport>;
  readonly isChanged: boolean;
  readonly leave: () => void; // lets the page be left without a question
}

/** Reads the saved report that a state began as; leaving it with changes asks first. */
export function useOpenedReport(state: ReportState): OpenedReport {
  const { definitions } = useApp();
  const { saved } = state;
  const resource = useResource<SavedReport>(saved === null ? undefined : `${SAVED_REPORTS}/${saved}`);
  const written = (shown: ReportState): string => JSON.stringify(requestOf(shown, definitions?.site.time_zone));
  const { data } = resource;
  const isChanged = saved !== null && data !== undefined && written(stateOf(data.request)) !== written(state);
  // The address holds the whole state, so that the changes stay wherever it names the report.
  const leave = useUnsaved(isChanged, ({ searchParams }) => searchParams.get('saved') === saved);
  return { resource, isChanged, leave };
}

interface SaveProps {
  readonly state: ReportState;
  readonly kept: OpenedReport;
}

/** Buttons that save a report over the one that it began as, or as another. */
export function Save({ state, kept: { resource, isChanged, leave } }: SaveProps): JSX.Element {
  const { definitions, names } = useApp();
  const [asking, setAsking] = useState(false);
  const { data } = resource;
  const { error, theirs, write, overwrite, takeTheirs, decideLater } = useWrites(
    `${SAVED_REPORTS}/${data?.id}`,
    resource,
  );
  const request = requestOf(state, definitions?.site.time_zone);
  const show = (id: number): void => go(href('/report', writeReportState({ ...state, saved: String(id) })), true);
  const numbers = (shown: ReportState): string => text.listAnd(shown.fields.map(names.field));
  return (
    <>
      {isChanged && <span class="quiet small">{text.edit.unsaved}</span>}
      <Button
        kind="primary"
        disabled={state.saved !== null && !isChanged && resource.error === undefined}
        onClick={() => (data ? write('PATCH', { request }) : setAsking(true))}
      >
        {text.report.save}
      </Button>
      {data && <Button onClick={() => setAsking(true)}>{text.report.saveAs}</Button>}
      <Trouble error={error} />
      {theirs && (
        <Dialog title={theirs.name} onClose={decideLater}>
          <Conflict
            differences={[{ label: text.report.show, theirs: numbers(stateOf(theirs.request)), mine: numbers(state) }]}
            onKeepMine={() => overwrite('PATCH', { request })}
            onTakeTheirs={() => {
              leave();
              go(href('/report', writeReportState({ ...stateOf(theirs.request), saved: String(theirs.id) })));
              takeTheirs();
            }}
          />
        </Dialog>
      )}
      {asking && (
        <SaveDialog
          request={request}
          onClose={() => setAsking(false)}
          onSaved={(id) => {
            setAsking(false);
            leave();
            show(id);
          }}
        />
      )}
    </>
  );
}

interface SaveDialogProps {
  readonly request: object;
  readonly onClose: () => void;
  readonly onSaved: (id: number) => void;
}

/** Asks for a name and saves the report's request under it; asks whether a report of that name is replaced. */
function SaveDialog({ request, onClose, onSaved }: SaveDialogProps): JSX.Element {
  const { api, say } = useApp();
  const list = useResource<Page<SavedReport>>(allOf(SAVED_REPORTS));
  const [error, setError] = useState<unknown>();
  const [same, setSame] = useState<SavedReport | undefined>();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const write = useOnce(async (method: 'POST' | 'PATCH', path: string) => {
    try {
      const body = { name: name.trim(), description: description || null, request };
      const { data } = await api.ask<SavedReport>(path, { method, body });
      say(text.report.saved(data.name));
      onSaved(data.id);
    } catch (fault) {
      setError(fault);
    }
  });
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const report = list.data?._embedded.entries.find((each) => each.name === name.trim());
    if (report) setSame(report);
    else write('POST', SAVED_REPORTS);
  };
  return (
    <Dialog title={text.report.saveTitle} onClose={onClose}>
      <form onSubmit={submit} method="dialog">
        <TextField
          label={text.report.name}
          value={name}
          onInput={(typed) => {
            setName(typed);
            setSame(undefined);
          }}
          input={{ required: true }}
        />
        <TextArea label={text.report.description} value={description} onInput={setDescription} input={{ rows: 2 }} />
        <Trouble error={error} />
        {same && (
          <Notice>
            <p>{text.report.sameName(same.name)}</p>
            <p class="row">
              <Button onClick={() => write('PATCH', `${SAVED_REPORTS}/${same.id}`)}>{text.report.replace}</Button>
              <Button onClick={() => write('POST', SAVED_REPORTS)}>{text.report.keepBoth}</Button>
            </p>
          </Notice>
        )}
        <p class="row end">
          <Button onClick={onClose}>{text.edit.cancel}</Button>
          <button
            type="submit"
            class="button primary"
            disabled={same !== undefined || (list.data === undefined && list.error === undefined)}
          >
            {text.report.save}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
