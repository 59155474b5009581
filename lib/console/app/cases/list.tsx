import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type CaseEntry, type CasesReply, casesRequest, ORDERS, type OrderId, statusOf } from '../../model/cases.ts';
import { csvStyles } from '../../model/csv-style.ts';
import { entryUnit } from '../../model/fields.ts';
import { type ReportState, readReportState, writeReportState } from '../../model/report/report-state.ts';
import { casesSheet } from '../../model/sheet.ts';
import { caseText } from '../../model/text/case-text.ts';
import { sheetText } from '../../model/text/sheet-text.ts';
import { text } from '../../model/text/text.ts';
import { localIn } from '../../model/zone.ts';
import { useQueued } from '../ask.ts';
import { useSaidAttempt } from '../attempt.ts';
import { useApp } from '../context.tsx';
import { Covered } from '../covered.tsx';
import { go, href } from '../location.ts';
import { type SheetForm, saveSheets } from '../save-file.ts';
import { Trouble } from '../trouble.tsx';
import { Choice } from '../ui/fields.tsx';
import { periodText } from '../ui/period-picker.tsx';
import { Button, Empty, Skeleton } from '../ui/ui.tsx';
import { HelpDeskLink } from './help-desk-link.tsx';

/** The page with the cases behind a number, and a field to open a case by its id. */
export function CasesPage({ query }: { readonly query: URLSearchParams }): JSX.Element {
  return (
    <div class="page">
      <header class="page-head">
        <h1>{text.cases.title}</h1>
        <FindCase />
      </header>
      {query.has('show') ? <Behind query={query} /> : <Empty title={caseText.find} hint={caseText.start} />}
    </div>
  );
}

function FindCase(): JSX.Element {
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        const id = String(new FormData(event.currentTarget).get('case')).trim();
        if (id !== '') go(href(`/cases/${encodeURIComponent(id)}`));
      }}
    >
      <input class="input find" name="case" aria-label={caseText.find} placeholder={caseText.find} />
      <button type="submit" class="button">
        {caseText.open}
      </button>
    </form>
  );
}

/** Describes the number: its field, its members and its time. */
function useDescription(state: ReportState): string {
  const { names, format } = useApp();
  const members = [
    [state.by, state.byValues],
    [state.and, state.andValues],
  ] as const;
  const parts = members.flatMap(([dimension, [member]]) =>
    dimension === null || member === undefined ? [] : [`${names.label(dimension)}: ${names.of(dimension, member)}`],
  );
  return [names.field(state.fields[0] ?? ''), ...parts, periodText(state.period, format.date)].join(' · ');
}

/** The cases that were read so far. */
interface List {
  readonly of: string; // the request of the first page
  readonly cursor: string | null; // of the page that is read last
  readonly shown: readonly CaseEntry[];
}

const emptyList = (of: string): List => ({ of, cursor: null, shown: [] });

function Behind({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const { api, format, definitions } = useApp();
  const zone = definitions?.site.time_zone ?? 'UTC';
  const state = readReportState(query);
  const order: OrderId = ORDERS.find(({ id }) => id === query.get('order'))?.id ?? 'oldest';
  const first = JSON.stringify(casesRequest(state, order, null, zone));
  const [kept, setKept] = useState<List>(emptyList(first));
  const list = kept.of === first ? kept : emptyList(first);
  const body = casesRequest(state, order, list.cursor, zone);
  const key = `cases ${JSON.stringify(body)}`;
  const asked = useQueued({
    slot: 'cases',
    key,
    send: async (signal) =>
      (await api.ask<CasesReply>('/api/v2/insights3/cases', { method: 'POST', body, signal })).data,
  });
  const page = asked.of === key ? asked.data : undefined; // undefined while it is asked for
  useEffect(() => {
    if (page) setKept({ ...list, shown: list.cursor === null ? page.cases : [...list.shown, ...page.cases] });
  }, [page, key]);
  const setOrder = (next: string): void => {
    const changed = writeReportState(state);
    changed.set('order', next);
    go(href('/cases', changed));
  };
  const { data } = asked;
  return (
    <>
      <Covered reports={[]} at={undefined} fields={state.fields} />
      <section class="card row spread">
        <p>
          <strong>{useDescription(state)}</strong>
          {data && <span class="quiet"> · {caseText.total(format.count(data.total_entries))}</span>}
        </p>
        {data !== undefined && data.total_entries > 0 && <Export state={state} order={order} />}
        <Choice
          label={caseText.sort}
          options={ORDERS.map(({ id }) => [id, caseText[id]] as const)}
          value={order}
          onChange={setOrder}
        />
      </section>
      <Trouble error={asked.error} onAgain={asked.again}>
        {list.cursor !== null && <Button onClick={() => setKept(emptyList(first))}>{text.error.fromStart}</Button>}
      </Trouble>
      {data === undefined && asked.error === undefined && <Skeleton tall />}
      {data?.total_entries === 0 && <p class="quiet">{caseText.none}</p>}
      {list.shown.length > 0 && <CaseTable entries={list.shown} field={state.fields[0] ?? ''} />}
      {data?.cursor && (
        <p class="row">
          <Button disabled={asked.busy} onClick={() => setKept({ ...list, cursor: data.cursor })}>
            {caseText.next}
          </Button>
        </p>
      )}
    </>
  );
}

const MOST_IN_A_PAGE = 1000; // of the API

/** Buttons that save all cases behind the number, also those that are not shown yet. */
function Export({ state, order }: { readonly state: ReportState; readonly order: OrderId }): JSX.Element {
  const { api, queue, names, definitions } = useApp();
  const attempt = useSaidAttempt();
  const pageAt = (cursor: string | null): Promise<CasesReply> => {
    const body = {
      ...casesRequest(state, order, cursor, definitions?.site.time_zone ?? 'UTC'),
      per_page: MOST_IN_A_PAGE,
    };
    const send = async (signal: AbortSignal): Promise<CasesReply> =>
      (await api.ask<CasesReply>('/api/v2/insights3/cases', { method: 'POST', body, signal })).data;
    return queue.ask({ slot: 'export', key: `cases ${JSON.stringify(body)}`, send });
  };
  const save = (form: SheetForm): Promise<void> =>
    attempt(async () => {
      const [field = ''] = state.fields;
      const entries: CaseEntry[] = [];
      let page = await pageAt(null);
      for (; page.cursor !== null; page = await pageAt(page.cursor)) entries.push(...page.cases);
      const sheet = casesSheet([...entries, ...page.cases], field, { names, definitions });
      const { min, max } = page.request.time;
      const thing = `${text.cases.title} ${names.field(field)}`;
      const now = localIn(definitions?.site.time_zone ?? 'UTC', new Date().toISOString());
      const until = max.slice(0, 19);
      await saveSheets([sheet], form, { thing, min, until: now < until ? now : until });
    });
  const [own, other] = csvStyles();
  return (
    <div class="row">
      <Button onClick={() => save('xlsx')}>{text.report.xlsx}</Button>
      <Button onClick={() => save(own)}>{text.report.csvSheet}</Button>
      <Button onClick={() => save(other)}>{sheetText.other[other]}</Button>
    </div>
  );
}

function CaseTable({
  entries,
  field,
}: {
  readonly entries: readonly CaseEntry[];
  readonly field: string;
}): JSX.Element {
  const { format, names, definitions } = useApp();
  const unit = entryUnit(definitions, field);
  const heads = [
    ...[caseText.case, caseText.at, caseText.value, caseText.status, caseText.channel],
    ...[caseText.priority, caseText.assignee, caseText.group, caseText.labels],
  ];
  return (
    <section class="card">
      <div class="scroll" tabIndex={0} role="region" aria-label={text.cases.title}>
        <table class="report cases">
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col" class={head === caseText.value ? 'number' : ''}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {entries.map((entry, index) => (
              <tr key={index} class={entry.counted ? '' : 'aside'}>
                <th scope="row">
                  <a href={href(`/cases/${encodeURIComponent(String(entry.case))}`)}>{entry.case}</a>
                  <HelpDeskLink id={String(entry.case)} />
                </th>
                <td>{format.moment(entry.at)}</td>
                <td
                  class="number"
                  data-value={entry.value}
                  title={entry.counted ? format.exact(entry.value, unit) : caseText.notCounted}
                >
                  {format.value(entry.value, unit)}
                </td>
                <td>{statusOf(entry, names)}</td>
                <td dir="auto">{names.of('channel', entry.channel)}</td>
                <td class="number">{entry.priority}</td>
                <td dir="auto">{names.of('assigned_agent', entry.assignee)}</td>
                <td dir="auto">{names.of('assigned_group', entry.group)}</td>
                <td dir="auto">{text.listAnd(entry.labels.map((label) => names.of('label', label)))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
