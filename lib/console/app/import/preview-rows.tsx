import type { JSX } from 'preact';
import type { SayWrong } from '../../model/doubts.ts';
import { importText } from '../../model/text/import-text.ts';
import { Button } from '../ui/ui.tsx';

interface PreviewRowsProps {
  readonly rows: readonly (readonly string[])[];
  readonly header?: readonly string[]; // of what can be said to be wrong
  readonly onWrong?: SayWrong | undefined;
}

/**
 * Rows of a file, as the body of a table; each can be said to be wrong by its button, and a
 * column by a click on a cell, or by the button in its header.
 */
export const PreviewRows = ({ rows, header, onWrong }: PreviewRowsProps): JSX.Element => (
  <tbody>
    {rows.map((row, index) => (
      <tr key={index}>
        {onWrong && (
          <td>
            <Button kind="quiet" label={importText.wrongRow(index + 1)} onClick={() => onWrong({ row: index })}>
              {importText.wrong}
            </Button>
          </td>
        )}
        {row.map((cell, at) => {
          const column = header?.[at];
          const say = onWrong && column !== undefined ? () => onWrong({ column }) : undefined;
          return (
            <td key={at} dir="auto" title={cell} onClick={say}>
              {cell}
            </td>
          );
        })}
      </tr>
    ))}
  </tbody>
);
