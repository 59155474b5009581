import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { FileImport, Mapping } from '../../model/file-import.ts';
import { withMeaning } from '../../model/mapping-roles.ts';
import { text } from '../../model/text.ts';
import { Button, Field } from '../ui.tsx';
import { ColumnsTable } from './columns-table.tsx';
import { ValueTables } from './value-tables.tsx';

/** The user's corrections of what was recognised in a file. */
export interface Corrected {
  readonly format?: string;
  readonly mapping?: Mapping;
  readonly zone?: string;
  readonly source?: string;
}

interface CorrectionProps {
  readonly file: FileImport;
  readonly onTry: (corrected: Corrected) => void;
}

/** Shows what was recognised in a file, beside its first rows. The user can correct it and check the file again. */
export function Correction({ file, onTry }: CorrectionProps): JSX.Element {
  const [draft, setDraft] = useState<Corrected>({});
  const { preview } = file;
  const mapping = draft.mapping ?? file.mapping;
  const change = (fields: Corrected): void => setDraft({ ...draft, ...fields });
  const doubts = file.notes.filter(({ is_sure }) => !is_sure);
  const isChanged = Object.keys(draft).length > 0;
  return (
    <section class="card" aria-labelledby="taken">
      <h2 id="taken">{text.importing.taken}</h2>
      <Options file={file} draft={draft} onChange={change} />
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
        <ColumnsTable preview={preview} mapping={mapping} onChange={(next) => change({ mapping: next })} />
      )}
      {preview && 'lines' in preview && preview.lines.length > 0 && <Lines lines={preview.lines} />}
      {mapping && (
        <ValueTables
          mapping={mapping}
          onChange={(role, value, meaning) => change({ mapping: withMeaning(mapping, role, value, meaning) })}
        />
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
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
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
      <Field label={text.importing.zone}>
        {(attributes) => (
          <select
            {...attributes}
            class="input"
            value={draft.zone ?? file.zone ?? ''}
            onChange={(event) => onChange(inZone(file, draft, event.currentTarget.value))}
          >
            <option value="" disabled={file.zone !== null}>
              {text.period.siteZone}
            </option>
            {zones.map((zone) => (
              <option key={zone} value={zone}>
                {zone}
              </option>
            ))}
          </select>
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

/** Sets the zone, also in the mapping if that has a zone of its own. */
function inZone(file: FileImport, draft: Corrected, zone: string): Corrected {
  const mapping = draft.mapping ?? file.mapping;
  const time = mapping?.time;
  if (mapping === null || typeof time !== 'object' || time === null || !('zone' in time)) return { zone };
  return { zone, mapping: { ...mapping, time: { ...time, zone } } };
}

const Lines = ({ lines }: { readonly lines: readonly string[] }): JSX.Element => (
  <div class="story" role="region" aria-label={text.importing.firstRows} tabIndex={0}>
    {lines.map((line, index) => (
      <p key={index}>
        <code>{line}</code>
      </p>
    ))}
  </div>
);
