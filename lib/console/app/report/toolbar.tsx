import type { JSX } from 'preact';
import { isOneNumber } from '../../model/mail.ts';
import type { Report } from '../../model/report.ts';
import { curlOf, type ReportBody } from '../../model/report-request.ts';
import type { ReportState } from '../../model/report-state.ts';
import { text } from '../../model/text.ts';
import { PREFIX } from '../api.ts';
import { useSaidAttempt } from '../attempt.ts';
import { useApp } from '../context.tsx';
import { MailThis, WatchThis } from '../mail-this.tsx';
import { type SheetForm, saveFile, saveSheet } from '../save-file.ts';
import { Menu } from '../ui.tsx';
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
  const download = (type: 'text/csv' | 'application/json', name: string): Promise<void> =>
    attempt(async () => {
      const send = (signal: AbortSignal): Promise<string> =>
        api.text('/api/v2/insights3/reports', { method: 'POST', body: plain, headers: { Accept: type }, signal });
      const content = await queue.ask({ slot: 'export', key: `${type} ${JSON.stringify(plain)}`, send });
      saveFile(new Blob([content], { type }), name);
    });
  const save = (shown: Report, form: SheetForm): Promise<void> =>
    attempt(async () => {
      const { reportSheet } = await import('../../model/sheet.ts');
      const thing = kept.resource.data?.name ?? shown.fields.map(names.field).join(', ');
      const sheet = reportSheet(shown, state.sort, { names, definitions, format }, kept.resource.data?.name);
      await saveSheet(sheet, form, { thing, ...shown });
    });
  const copy = (content: string): void => {
    navigator.clipboard?.writeText(content).then(
      () => say(text.report.copied),
      () => say(text.report.notCopied),
    ) ?? say(text.report.notCopied);
  };
  const saved = kept.resource.data;
  const sheets = report && [
    [text.report.xlsx, () => save(report, 'xlsx')] as const,
    [text.report.csvSheet, () => save(report, 'csv')] as const,
  ];
  const items = [
    ...(sheets ?? []),
    [text.report.csv, () => download('text/csv', 'report.csv')],
    [text.report.json, () => download('application/json', 'report.json')],
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
