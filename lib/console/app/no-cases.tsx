import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { WEEK_DAYS } from '../../vocabulary.ts';
import { nextWindow, type Period, periodUpTo } from '../model/period.ts';
import type { Report } from '../model/report/report.ts';
import { requestOf } from '../model/report/report-request.ts';
import { type ReportState, USUAL_REPORT } from '../model/report/report-state.ts';
import { text } from '../model/text/text.ts';
import { useReport } from './ask.ts';
import { useApp } from './context.tsx';
import { Tour } from './import/tour.tsx';
import { go, href } from './location.ts';
import { Empty, Skeleton } from './ui/ui.tsx';

const HAPPENS = ['case_creates', 'resolved_cases', 'inbound_interactions', 'outbound_interactions'];

/** What happened on a site by month or day. Without members a report has no row for an empty window. */
const historyOf = (per: 'month' | 'day', from: string, until: string): ReportState => ({
  ...USUAL_REPORT,
  fields: HAPPENS,
  by: 'status',
  per,
  period: { kind: 'range', from, until },
});

/** The windows of a history with something in them, in order: the starts of the first and the last one. */
function endsOf(report: Report | undefined): readonly [first: string | undefined, last: string | undefined] {
  const starts = report?.rows
    .filter(({ values }) => values.some((value) => value !== null && value > 0))
    .map(({ window }) => (window ?? '').slice(0, 10))
    .sort();
  return [starts?.[0], starts?.at(-1)];
}

interface NoCasesProps {
  readonly period: Period;
  readonly isChosen: boolean; // by the address
}

/** In place of the numbers of a period without cases: the newest period that has some, or how to bring them. */
export function NoCases({ period, isChosen }: NoCasesProps): JSX.Element {
  const { mayImport, format, definitions } = useApp();
  const site = definitions?.site;
  const all = useReport('history', requestOf(historyOf('month', '1970-01-01', '2200-01-01'), site?.time_zone));
  const [first, last] = endsOf(all.data);
  const month = last && requestOf(historyOf('day', last, nextWindow(last, 'month').slice(0, 10)), site?.time_zone);
  const ofMonth = useReport('newest', !isChosen && period.kind === 'last' ? month || undefined : undefined);
  const [, newest] = endsOf(ofMonth.data);
  useEffect(() => {
    if (isChosen || period.kind !== 'last' || newest === undefined) return;
    const days: readonly string[] = WEEK_DAYS;
    const { from, until } = periodUpTo(newest, period, Math.max(0, days.indexOf(site?.week_start ?? '')));
    go(href('', new URLSearchParams({ from, until, newest })), true);
  }, [newest, isChosen]);
  if (all.busy || ofMonth.busy) return <Skeleton tall />;
  return (
    <Empty title={text.overview.noHistory} hint={text.overview.noHistoryHint}>
      {first !== undefined && last !== undefined && (
        <p>
          <a
            class="button primary"
            href={href('', new URLSearchParams({ from: first, until: nextWindow(last, 'month').slice(0, 10) }))}
          >
            {text.overview.historyLies(format.window(first, 'month'), format.window(last, 'month'))}
          </a>
        </p>
      )}
      {mayImport && (
        <a class="button primary" href={href('/import')}>
          {text.overview.bring}
        </a>
      )}
      <Tour />
    </Empty>
  );
}
