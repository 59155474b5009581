import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { curlOf, type ReportBody } from '../../model/report-request.ts';
import { text } from '../../model/text.ts';
import { PREFIX } from '../api.ts';
import { useApp } from '../context.tsx';
import { troubleText } from '../trouble.tsx';
import { Button, Popover } from '../ui.tsx';
import { SaveDialog } from './save.tsx';

/** Buttons to export the numbers of a report, or the request for them, and to save it. */
export function Toolbar({ body }: { readonly body: ReportBody }): JSX.Element {
  const { api, queue, say } = useApp();
  const [saving, setSaving] = useState(false);
  const { totals: _, ...plain } = body;
  const download = async (type: 'text/csv' | 'application/json', name: string): Promise<void> => {
    try {
      const send = (signal: AbortSignal): Promise<string> =>
        api.text('/api/v2/insights3/reports', { method: 'POST', body: plain, headers: { Accept: type }, signal });
      const content = await queue.ask({ slot: 'export', key: `${type} ${JSON.stringify(plain)}`, send });
      saveFile(content, type, name);
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
  return (
    <div class="row">
      <Popover label={`${text.report.export} ▾`} name={text.report.export} align="end">
        {(close) => (
          <div class="menu-list">
            <MenuItem label={text.report.csv} onClick={() => download('text/csv', 'report.csv')} close={close} />
            <MenuItem
              label={text.report.json}
              onClick={() => download('application/json', 'report.json')}
              close={close}
            />
            <MenuItem
              label={text.report.curl}
              onClick={() => copy(curlOf(`${location.origin}${PREFIX}`, api.credentials.login, body))}
              close={close}
            />
            <MenuItem label={text.report.request} onClick={() => copy(JSON.stringify(body, null, 2))} close={close} />
          </div>
        )}
      </Popover>
      <Button kind="primary" onClick={() => setSaving(true)}>
        {text.report.save}
      </Button>
      {saving && <SaveDialog request={body} onClose={() => setSaving(false)} />}
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

/** Lets the browser save a text as a file. */
export function saveFile(content: string, type: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
