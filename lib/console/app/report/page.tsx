import type { JSX } from 'preact';
import { untoldBy } from '../../model/fields.ts';
import { emptyText } from '../../model/names.ts';
import { USUAL_PERIOD } from '../../model/period.ts';
import { requestOf } from '../../model/report/report-request.ts';
import { type ReportState, readReportState, writeReportState } from '../../model/report/report-state.ts';
import { text } from '../../model/text/text.ts';
import { ApiError } from '../api.ts';
import { useReport } from '../ask.ts';
import { useApp } from '../context.tsx';
import { Covered } from '../covered.tsx';
import { go, href } from '../location.ts';
import { Trouble } from '../trouble.tsx';
import { Button, Empty, Skeleton } from '../ui/ui.tsx';
import { useCellMenu } from './cell-menu.tsx';
import { ReportChart } from './chart.tsx';
import { useOpenedReport } from './save.tsx';
import { Sentence } from './sentence.tsx';
import { ReportTable } from './table.tsx';
import { Toolbar } from './toolbar.tsx';

/** The report builder: a sentence, a chart and a table. Its whole state is in the address. */
export function ReportPage({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const { queue, definitions, names } = useApp();
  const state = readReportState(query);
  const body = requestOf(state, definitions?.site.time_zone);
  const asked = useReport('report', body);
  const change = (part: Partial<ReportState>): void => go(href('/report', writeReportState({ ...state, ...part })));
  const { data, busy } = asked;
  const [open, menu] = useCellMenu(state, data);
  const kept = useOpenedReport(state);
  return (
    <div class="page">
      <header class="page-head">
        <h1 dir="auto">{(state.saved !== null && kept.resource.data?.name) || text.report.title}</h1>
        <Toolbar body={body} report={data} state={state} kept={kept} />
      </header>
      <Covered reports={data ? [data] : []} at={data?.at} fields={state.fields} />
      <Trouble error={kept.resource.error} />
      <Sentence state={state} onChange={change} />
      <NotTold state={state} onChange={change} />
      {busy && (
        <p class="row working" role="status">
          {text.busy.running} <Button onClick={() => queue.cancel('report')}>{text.busy.cancel}</Button>
        </p>
      )}
      <Trouble error={asked.error} onAgain={asked.again}>
        <Narrower error={asked.error} state={state} onChange={change} />
      </Trouble>
      {/* A number that is of another request than the sentence leads nowhere. */}
      <div class={busy && data ? 'stack stale' : 'stack'} inert={busy && data !== undefined}>
        {data ? (
          data.rows.length === 0 ? (
            <Empty title={text.report.empty} hint={emptyText(names, data)} />
          ) : (
            <>
              <ReportChart state={state} report={data} onCell={open} onChange={change} />
              <section class="card">
                <ReportTable state={state} report={data} onCell={open} onSort={(sort) => change({ sort })} />
              </section>
            </>
          )
        ) : (
          asked.error === undefined && <Skeleton tall />
        )}
      </div>
      {menu}
    </div>
  );
}

interface NotToldProps {
  readonly state: ReportState;
  readonly onChange: (change: Partial<ReportState>) => void;
}

/** Says which number means nothing by a chosen dimension, and offers the dimension that people mean. */
function NotTold({ state, onChange }: NotToldProps): JSX.Element | null {
  const { names, definitions } = useApp();
  const dimensions = [state.by, state.and].filter((dimension) => dimension !== null);
  const field = state.fields.find((name) => untoldBy(definitions, name, dimensions) !== undefined);
  const why = field === undefined ? undefined : untoldBy(definitions, field, dimensions);
  if (field === undefined || why === undefined) return null;
  const { sentence, instead, dimension } = why;
  const other = instead !== null && !dimensions.includes(instead) ? instead : undefined;
  const part = dimension === state.by ? { by: other ?? null, byValues: [] } : { and: other ?? null, andValues: [] };
  return (
    <p class="row" role="status">
      {text.report.notTold(names.field(field), sentence)}{' '}
      {other !== undefined && <Button onClick={() => onChange(part)}>{text.report.splitBy(names.label(other))}</Button>}
    </p>
  );
}

const LONGER = { hour: 'day', day: 'week', week: 'month' } as const;

interface NarrowerProps {
  readonly error: unknown;
  readonly state: ReportState;
  readonly onChange: (change: Partial<ReportState>) => void;
}

/** Buttons that make a report smaller, shown if it is too large. */
function Narrower({ error, state, onChange }: NarrowerProps): JSX.Element | null {
  const { names } = useApp();
  if (!(error instanceof ApiError) || !error.has('too_large')) return null;
  const { per, and } = state;
  return (
    <>
      {per !== 'none' && per !== 'month' && (
        <Button kind="primary" onClick={() => onChange({ per: LONGER[per] })}>
          {text.error.tooLong(text.report.window(LONGER[per]))}
        </Button>
      )}
      {per === 'month' && <Button onClick={() => onChange({ per: 'none' })}>{text.error.withoutWindows}</Button>}
      {and !== null && (
        <Button onClick={() => onChange({ and: null, andValues: [] })}>
          {text.error.withoutSecond(names.label(and))}
        </Button>
      )}
      <Button onClick={() => onChange({ period: USUAL_PERIOD })}>{text.error.lessTime}</Button>
    </>
  );
}
