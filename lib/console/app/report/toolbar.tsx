import type { JSX } from 'preact';
import { csvStyles } from '../../model/csv-style.ts';
import { isOneNumber } from '../../model/mail.ts';
import { filtersText } from '../../model/names.ts';
import { lastDay } from '../../model/period.ts';
import type { Report } from '../../model/report/report.ts';
import { curlOf, type ReportBody } from '../../model/report/report-request.ts';
import type { ReportState } from '../../model/report/report-state.ts';
import { sheetText } from '../../model/text/sheet-text.ts';
import { text } from '../../model/text/text.ts';
import { PREFIX } from '../api.ts';
import { useSaidAttempt } from '../attempt.ts';
import { useApp } from '../context.tsx';
import { MailThis, WatchThis } from '../mail-this.tsx';
import { fileName, type SheetForm, saveFile, saveSheets } from '../save-file.ts';
import { Menu } from '../ui/ui.tsx';
import { type OpenedReport, Save } from './save.tsx';

interface ToolbarProps {
  readonly body: ReportBody;
  readonly report: Report | undefined; // on the screen
  readonly state: ReportState;
  readonly kept: OpenedReport;
}

/** Buttons to export the numbers of a report, or the request for them, and to save it. */
export function Toolbar({ body, report, state, kept }: ToolbarProps): JSX.Element {
  const { api, queue, say, names, definitions, format } = useApp();
  const attempt = useSaidAttempt();
  const { totals: _, ...plain } = body;
  const download = (type: 'text/csv' | 'application/json', ending: string): Promise<void> =>
    attempt(async () => {
      const send = (signal: AbortSignal): Promise<string> =>
        api.text('/api/v2/insights3/reports', { method: 'POST', body: plain, headers: { Accept: type }, signal });
      const content = await queue.ask({ slot: 'export', key: `${type} ${JSON.stringify(plain)}`, send });
      const days = report ? ` ${report.min.slice(0, 10)} ${lastDay(report.until)}` : '';
      saveFile(new Blob([content], { type }), fileName(`report${days}`, ending));
    });
  const save = (shown: Report, form: SheetForm): Promise<void> =>
    attempt(async () => {
      const { reportSheet } = await import('../../model/sheet.ts');
      const thing = kept.resource.data?.name ?? shown.fields.map(names.field).join(', ');
      const of = { title: kept.resource.data?.name, filters: filtersText(names, state.filters) };
      const sheet = reportSheet(shown, state.sort, { names, definitions, format }, of);
      await saveSheets([sheet], form, { thing, ...shown });
    });
  const copy = (content: string): void => {
    navigator.clipboard?.writeText(content).then(
      () => say(text.report.copied),
      () => say(text.report.notCopied),
    ) ?? say(text.report.notCopied);
  };
  const saved = kept.resource.data;
  const [own, other] = csvStyles();
  const sheets = report && [
    [text.report.xlsx, () => save(report, 'xlsx')] as const,
    [text.report.csvSheet, () => save(report, own)] as const,
    [sheetText.other[other], () => save(report, other)] as const,
  ];
  const items = [
    ...(sheets ?? []),
    [text.report.csv, () => download('text/csv', 'csv')],
    [text.report.json, () => download('application/json', 'json')],
    [text.report.curl, () => copy(curlOf(`${location.origin}${PREFIX}`, api.session.login, body))],
    [text.report.request, () => copy(JSON.stringify(body, null, 2))],
  ] as const;
  return (
    <div class="row">
      <Menu label={text.report.export} items={items} />
      {saved && !kept.isChanged && <MailThis saved_report={saved.id} />}
      {saved && !kept.isChanged && isOneNumber(saved.request) && <WatchThis saved_report={saved.id} />}
      <Save state={state} kept={kept} />
    </div>
  );
}
