import type { ComponentChildren, JSX } from 'preact';
import { text } from '../../model/text/text.ts';
import { ScrollBox } from './scroll-box.tsx';

interface ListTableProps<T> {
  readonly label: string;
  readonly entries: readonly T[];
  readonly keyOf: (entry: T) => string | number;
  /** Title and cell of each column, the name first; false: it is left out. */
  readonly columns: readonly (
    | readonly [title: string, cell: (entry: T) => ComponentChildren, kind?: 'number']
    | false
  )[];
  readonly actions: (entry: T) => ComponentChildren; // the buttons of the last column
}

/** Things in a table, a row each. */
export function ListTable<T>({ label, entries, keyOf, columns, actions }: ListTableProps<T>): JSX.Element {
  const shown = columns.filter((column) => column !== false);
  return (
    <ScrollBox label={label} kind="card">
      <table class="report">
        <thead>
          <tr>
            {shown.map(([title, , kind]) => (
              <th scope="col" class={kind}>
                {title}
              </th>
            ))}
            <th scope="col" class="does">
              {text.edit.actions}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={keyOf(entry)}>
              {shown.map(([, cell, kind], index) =>
                index === 0 ? (
                  <th scope="row" dir="auto">
                    {cell(entry)}
                  </th>
                ) : (
                  <td class={kind}>{cell(entry)}</td>
                ),
              )}
              <td class="does">{actions(entry)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
