import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SayWrong } from '../../model/doubts.ts';
import type { FileImport } from '../../model/file-import.ts';
import type { Answers } from '../../model/questions.ts';
import { text } from '../../model/text.ts';
import { Button, Field } from '../ui.tsx';
import { ColumnsTable } from './columns-table.tsx';
import { ValueTables } from './value-tables.tsx';
import { ZoneInput } from './zone-input.tsx';

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
  readonly onTry: (corrected: Corrected) => void;
  readonly onWrong: SayWrong;
}

/** Shows what was recognised in a file, beside its first rows. The user can correct it and check the file again. */
export function Correction({ file, onTry, onWrong }: CorrectionProps): JSX.Element {
  const [draft, setDraft] = useState<Corrected>({});
  const { preview, proposal } = file;
  const answers = draft.answers ?? {};
  const change = (fields: Corrected): void => setDraft({ ...draft, ...fields });
  const doubts = file.notes.filter(({ is_sure }) => !is_sure);
  const isChanged = Object.keys(draft).length > 0;
  return (
    <section class="card" aria-labelledby="taken">
      <h2 id="taken">{text.importing.taken}</h2>
      <Options file={file} draft={draft} onChange={change} />
      <label class="check">
        <input
          type="checkbox"
          checked={draft.complete ?? file.complete}
          onChange={({ currentTarget }) => change({ complete: currentTarget.checked })}
        />{' '}
        {text.importing.complete}
      </label>
      {doubts.length > 0 && (
        <details open>
          <summary>{text.importing.unsure}</summary>
          <ul class="plain">
            {doubts.map(({ what, why }) => (
              <li key={what}>
                {what} <span class="quiet">{`(${why})`}</span>
              </li>
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
          {text.importing.tryAgain}
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

function Options({ file, draft, onChange }: OptionsProps): JSX.Element {
  return (
    <div class="options">
      <Field label={text.importing.format}>
        {(attributes) => (
          <select
            {...attributes}
            class="input"
            value={draft.format ?? file.format ?? ''}
            onChange={(event) => onChange({ format: event.currentTarget.value })}
          >
            {file.format === null && <option value="">{text.importing.unknown}</option>}
            {Object.entries(text.importing.formats).map(([format, label]) => (
              <option key={format} value={format}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {file.proposal && <KindField file={file} draft={draft} onChange={onChange} />}
      <Field label={text.importing.zone}>
        {(attributes) => (
          <ZoneInput
            attributes={attributes}
            value={draft.zone ?? file.zone ?? ''}
            onChange={(zone) => onChange({ zone })}
          />
        )}
      </Field>
      <Field label={text.importing.source} hint={text.importing.sourceHint}>
        {(attributes) => (
          <input
            {...attributes}
            class="input"
            value={draft.source ?? file.source ?? `upload-${file.id}`}
            maxLength={64}
            onChange={(event) =>
              event.currentTarget.value.trim() && onChange({ source: event.currentTarget.value.trim() })
            }
          />
        )}
      </Field>
    </div>
  );
}

/** What one row of the file is. */
const KindField = ({ file, draft: { answers = {} }, onChange }: OptionsProps): JSX.Element => (
  <Field label={text.importing.kind}>
    {(attributes) => (
      <select
        {...attributes}
        class="input"
        value={String(answers.kind ?? file.proposal?.kind ?? '')}
        onChange={({ currentTarget }) => onChange({ answers: { ...answers, kind: currentTarget.value } })}
      >
        {file.proposal?.kind === null && <option value="">{text.importing.unknown}</option>}
        {Object.entries(text.importing.kinds).map(([kind, label]) => (
          <option key={kind} value={kind}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

const Lines = ({ lines }: { readonly lines: readonly string[] }): JSX.Element => (
  <div class="story" role="region" aria-label={text.importing.firstRows} tabIndex={0}>
    {lines.map((line, index) => (
      <p key={index}>
        <code>{line}</code>
      </p>
    ))}
  </div>
);
