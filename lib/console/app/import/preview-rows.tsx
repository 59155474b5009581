import type { JSX } from 'preact';
import type { SayWrong } from '../../model/doubts.ts';
import { text } from '../../model/text.ts';
import { Button } from '../ui.tsx';

interface PreviewRowsProps {
  readonly rows: readonly (readonly string[])[];
  readonly onWrong?: SayWrong | undefined;
}

/** Rows of a file, as the body of a table; each can be said to be wrong. */
export const PreviewRows = ({ rows, onWrong }: PreviewRowsProps): JSX.Element => (
  <tbody>
    {rows.map((row, index) => (
      <tr key={index}>
        {onWrong && (
          <td>
            <Button kind="quiet" label={text.importing.wrongRow(index + 1)} onClick={() => onWrong({ row: index })}>
              {text.importing.wrong}
            </Button>
          </td>
        )}
        {row.map((cell, at) => (
          <td key={at} dir="auto" title={cell}>
            {cell}
          </td>
        ))}
      </tr>
    ))}
  </tbody>
);
