import type { JSX } from 'preact';
import type { Mapping } from '../../model/file-import.ts';
import { isNeeded, roleOf, rolesOf, withRole } from '../../model/mapping-roles.ts';
import { text } from '../../model/text.ts';

interface ColumnsTableProps {
  readonly preview: { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] };
  readonly mapping: Mapping | null; // null if the format has its own
  readonly onChange: (mapping: Mapping) => void;
}

const SHOWN = 6; // rows

/** The first rows of a CSV, with the role of each column above it. */
export function ColumnsTable({ preview: { header, rows }, mapping, onChange }: ColumnsTableProps): JSX.Element {
  const roles = mapping === null ? [] : rolesOf(mapping);
  const valuesOf = (index: number): string[] => rows.map((row) => row[index] ?? '');
  return (
    <div class="scroll" role="region" aria-label={text.importing.firstRows} tabIndex={0}>
      <table class="preview">
        <thead>
          <tr>
            {header.map((column, index) => {
              const role = mapping === null ? undefined : roleOf(mapping, column);
              return (
                <th key={index} scope="col" class={role === undefined ? 'unused' : ''}>
                  <span dir="auto">{column}</span>
                  {roles.length > 0 && mapping && (
                    <select
                      class="input"
                      aria-label={text.importing.meansLabel(column)}
                      value={role ?? ''}
                      onChange={(event) =>
                        onChange(withRole(mapping, column, event.currentTarget.value || undefined, valuesOf(index)))
                      }
                    >
                      <option value="" disabled={role !== undefined && isNeeded(role)}>
                        {text.importing.nothing}
                      </option>
                      {roles.map((each) => (
                        <option key={each} value={each}>
                          {text.importing.roles[each] ?? each}
                        </option>
                      ))}
                    </select>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN).map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at} dir="auto" title={cell}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
