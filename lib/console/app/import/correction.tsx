import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SayWrong } from '../../model/doubts.ts';
import type { FileImport } from '../../model/file-import.ts';
import type { Answers } from '../../model/questions.ts';
import { importText } from '../../model/text/import-text.ts';
import { text } from '../../model/text/text.ts';
import { Check, Choice, TextField } from '../ui/fields.tsx';
import { Button } from '../ui/ui.tsx';
import { ColumnsTable } from './columns-table.tsx';
import { ValueTables } from './value-tables.tsx';
import { ZoneChoice } from './zone-choice.tsx';

/** The user's corrections of what was recognised in a file. */
interface Corrected {
  readonly format?: string;
  readonly answers?: Answers;
  readonly zone?: string;
  readonly complete?: boolean;
  readonly source?: string;
}

interface CorrectionProps {
  readonly file: FileImport;
  readonly onTry: (corrected: Corrected) => unknown;
  readonly onWrong: SayWrong;
}

/** Shows what was recognised in a file, beside its first rows. The user can correct it and check the file again. */
export function Correction({ file, onTry, onWrong }: CorrectionProps): JSX.Element {
  const [draft, setDraft] = useState<Corrected>({});
  const { preview, proposal } = file;
  const answers = draft.answers ?? {};
  const change = (fields: Corrected): void => setDraft({ ...draft, ...fields });
  const doubts = file.notes.filter(({ is_sure }) => !is_sure);
  const said = file.notes.filter(({ is_sure }) => is_sure);
  const isChanged = Object.keys(draft).length > 0;
  return (
    <section class="card" aria-labelledby="taken">
      <h2 id="taken">{importText.taken}</h2>
      <Options file={file} draft={draft} onChange={change} />
      <Check
        label={importText.complete}
        checked={draft.complete ?? file.complete}
        onChange={(complete) => change({ complete })}
      />
      {doubts.length > 0 && (
        <details open>
          <summary>{importText.unsure}</summary>
          <ul class="plain">
            {doubts.map(({ what, why }) => (
              <li key={what}>
                {what} <span class="quiet">{`(${why})`}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {said.length > 0 && (
        <details open>
          <summary>{importText.understood}</summary>
          <ul class="plain">
            {said.map(({ what }) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </details>
      )}
      {preview && 'header' in preview && (
        <ColumnsTable
          preview={preview}
          proposal={proposal}
          answers={answers}
          onChange={(next) => change({ answers: next })}
          onWrong={onWrong}
        />
      )}
      {preview && 'lines' in preview && preview.lines.length > 0 && <Lines lines={preview.lines} />}
      {proposal && (
        <ValueTables meanings={proposal.meanings} answers={answers} onChange={(next) => change({ answers: next })} />
      )}
      <p class="row">
        <Button kind={isChanged ? 'primary' : 'plain'} disabled={!isChanged} onClick={() => onTry(draft)}>
          {importText.tryAgain}
        </Button>
        {isChanged && <Button onClick={() => setDraft({})}>{text.edit.cancel}</Button>}
      </p>
    </section>
  );
}

interface OptionsProps {
  readonly file: FileImport;
  readonly draft: Corrected;
  readonly onChange: (fields: Corrected) => void;
}

const UNKNOWN = ['', importText.unknown] as const;

function Options({ file, draft, onChange }: OptionsProps): JSX.Element {
  const { answers = {} } = draft;
  const { proposal } = file;
  return (
    <div class="options">
      <Choice
        label={importText.format}
        options={[...(file.format === null ? [UNKNOWN] : []), ...Object.entries(importText.formats)]}
        value={draft.format ?? file.format ?? ''}
        onChange={(format) => onChange({ format })}
      />
      {proposal && (
        <Choice
          label={importText.kind}
          options={[...(proposal.kind === null ? [UNKNOWN] : []), ...Object.entries(importText.kinds)]}
          value={String(answers.kind ?? proposal.kind ?? '')}
          onChange={(kind) => onChange({ answers: { ...answers, kind } })}
        />
      )}
      <ZoneChoice value={draft.zone ?? file.zone ?? ''} onChange={(zone) => onChange({ zone })} />
      <TextField
        label={importText.source}
        hint={importText.sourceHint}
        value={draft.source ?? file.source ?? `upload-${file.id}`}
        input={{
          maxLength: 64,
          onChange: (event) =>
            event.currentTarget.value.trim() && onChange({ source: event.currentTarget.value.trim() }),
        }}
      />
    </div>
  );
}

const Lines = ({ lines }: { readonly lines: readonly string[] }): JSX.Element => (
  <div class="story" role="region" aria-label={importText.firstRows} tabIndex={0}>
    {lines.map((line, index) => (
      <p key={index}>
        <code>{line}</code>
      </p>
    ))}
  </div>
);
