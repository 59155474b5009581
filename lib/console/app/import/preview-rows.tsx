import type { JSX } from 'preact';

/** Rows of a file, as the body of a table. */
export const PreviewRows = ({ rows }: { readonly rows: readonly (readonly string[])[] }): JSX.Element => (
  <tbody>
    {rows.map((row, index) => (
      <tr key={index}>
        {row.map((cell, at) => (
          <td key={at} dir="auto" title={cell}>
            {cell}
          </td>
        ))}
      </tr>
    ))}
  </tbody>
);
