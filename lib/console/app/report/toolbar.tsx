import type { JSX } from 'preact';
import { isOneNumber } from '../../model/mail.ts';
import type { Report } from '../../model/report.ts';
import { curlOf, type ReportBody } from '../../model/report-request.ts';
import type { ReportState } from '../../model/report-state.ts';
import { reportSheet } from '../../model/sheet.ts';
import { text } from '../../model/text.ts';
import { PREFIX } from '../api.ts';
import { useApp } from '../context.tsx';
import { MailThis, WatchThis } from '../mail-this.tsx';
import { type SheetForm, saveFile, saveSheet } from '../save-file.ts';
import { troubleText } from '../trouble.tsx';
import { Popover } from '../ui.tsx';
import { type Kept, Save } from './save.tsx';

interface ToolbarProps {
  readonly body: ReportBody;
  readonly report: Report | undefined; // on the screen
  readonly state: ReportState;
  readonly kept: Kept;
}

/** Buttons to export the numbers of a report, or the request for them, and to save it. */
export function Toolbar({ body, report, state, kept }: ToolbarProps): JSX.Element {
  const { api, queue, say, names, definitions } = useApp();
  const { totals: _, ...plain } = body;
  const download = async (type: 'text/csv' | 'application/json', name: string): Promise<void> => {
    try {
      const send = (signal: AbortSignal): Promise<string> =>
        api.text('/api/v2/insights3/reports', { method: 'POST', body: plain, headers: { Accept: type }, signal });
      const content = await queue.ask({ slot: 'export', key: `${type} ${JSON.stringify(plain)}`, send });
      saveFile(new Blob([content], { type }), name);
    } catch (error) {
      say(troubleText(error));
    }
  };
  const save = async (form: SheetForm): Promise<void> => {
    if (report === undefined) return;
    try {
      const thing = kept.resource.data?.name ?? report.fields.map(names.field).join(', ');
      await saveSheet(reportSheet(report, state.sort, { names, definitions }), form, {
        thing,
        min: report.min,
        max: report.max,
      });
    } catch (error) {
      say(troubleText(error));
    }
  };
  const copy = (content: string): void => {
    navigator.clipboard?.writeText(content).then(
      () => say(text.report.copied),
      () => say(text.report.notCopied),
    ) ?? say(text.report.notCopied);
  };
  const saved = kept.resource.data;
  return (
    <div class="row">
      <Popover label={`${text.report.export} ▾`} name={text.report.export} align="end">
        {(close) => (
          <div class="menu-list">
            {report && <MenuItem label={text.report.xlsx} onClick={() => save('xlsx')} close={close} />}
            {report && <MenuItem label={text.report.csvSheet} onClick={() => save('csv')} close={close} />}
            <MenuItem label={text.report.csv} onClick={() => download('text/csv', 'report.csv')} close={close} />
            <MenuItem
              label={text.report.json}
              onClick={() => download('application/json', 'report.json')}
              close={close}
            />
            <MenuItem
              label={text.report.curl}
              onClick={() => copy(curlOf(`${location.origin}${PREFIX}`, api.session.login, body))}
              close={close}
            />
            <MenuItem label={text.report.request} onClick={() => copy(JSON.stringify(body, null, 2))} close={close} />
          </div>
        )}
      </Popover>
      {saved && !kept.isChanged && <MailThis saved_report={saved.id} />}
      {saved && !kept.isChanged && isOneNumber(saved.request) && <WatchThis saved_report={saved.id} />}
      <Save state={state} kept={kept} />
    </div>
  );
}

interface MenuItemProps {
  readonly label: string;
  readonly onClick: () => unknown;
  readonly close: () => void;
}

const MenuItem = ({ label, onClick, close }: MenuItemProps): JSX.Element => (
  <button
    type="button"
    class="option"
    onClick={() => {
      onClick();
      close();
    }}
  >
    {label}
  </button>
);
