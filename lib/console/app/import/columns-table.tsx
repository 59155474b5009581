import type { JSX } from 'preact';
import type { SayWrong } from '../../model/doubts.ts';
import {
  type Answers,
  againstRole,
  FIELD,
  fieldAfter,
  roleAfter,
  type ShownProposal,
  withField,
  withRole,
} from '../../model/questions.ts';
import { importText } from '../../model/text/import-text.ts';
import { Button } from '../ui/ui.tsx';
import { PreviewRows } from './preview-rows.tsx';

interface ColumnsTableProps {
  readonly preview: { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] };
  readonly proposal: ShownProposal | null; // null if the format says what its columns are
  readonly answers: Answers;
  readonly onChange: (answers: Answers) => void;
  readonly onWrong: SayWrong;
}

const SHOWN = 6; // rows

const Against = ({ says }: { readonly says: string | undefined }): JSX.Element | null =>
  says === undefined ? null : <em class="small against">{says}</em>;

/** The first rows of a CSV, with the role of each column above it; a choice there is an answer. */
export const ColumnsTable = ({
  preview: { header, rows },
  proposal,
  answers,
  onChange,
  onWrong,
}: ColumnsTableProps): JSX.Element => (
  <div class="scroll" role="region" aria-label={importText.firstRows} tabIndex={0}>
    {proposal && <p class="quiet small">{importText.wrongHint}</p>}
    <table class="preview">
      <thead>
        <tr>
          {proposal && (
            <th scope="col" class="unused">
              <span>{importText.row}</span>
            </th>
          )}
          {header.map((column, index) => {
            const role = proposal === null ? undefined : roleAfter(proposal, answers, column);
            return (
              <th key={index} scope="col" class={role === undefined ? 'unused' : ''}>
                <span dir="auto">{column}</span>
                {proposal && (
                  <select
                    class="input"
                    aria-label={importText.meansLabel(column)}
                    title={proposal.roles.find((found) => found.role === role)?.why}
                    value={role ?? ''}
                    onChange={({ currentTarget: { value } }) =>
                      onChange(withRole(proposal, answers, column, value === '' ? undefined : value))
                    }
                  >
                    <option value="">{importText.nothing}</option>
                    <option value={FIELD}>{importText.field}</option>
                    {proposal.roles.map((each) => (
                      <option key={each.role} value={each.role}>
                        {each.label}
                      </option>
                    ))}
                  </select>
                )}
                {proposal && role === FIELD && (
                  <input
                    class="input"
                    aria-label={importText.fieldName(column)}
                    maxLength={255}
                    value={fieldAfter(proposal, answers, column)}
                    onChange={({ currentTarget: { value } }) => onChange(withField(answers, column, value))}
                  />
                )}
                {proposal && <Against says={againstRole(proposal, role, column)} />}
                {proposal && (
                  <Button kind="quiet" label={importText.wrongLabel(column)} onClick={() => onWrong({ column })}>
                    {importText.wrong}
                  </Button>
                )}
              </th>
            );
          })}
        </tr>
      </thead>
      <PreviewRows rows={rows.slice(0, SHOWN)} header={header} onWrong={proposal === null ? undefined : onWrong} />
    </table>
  </div>
);
