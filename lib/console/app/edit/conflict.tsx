import type { JSX } from 'preact';
import { text } from '../../model/text/text.ts';
import { Button, Notice } from '../ui/ui.tsx';

/** The values of one field on both sides of a conflict. */
export interface Difference {
  readonly label: string;
  readonly theirs: string;
  readonly mine: string;
}

interface ConflictProps {
  readonly differences: readonly Difference[];
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
}

/** Shows both sides after two people changed the same thing, and lets the user choose one. */
export function Conflict({ differences, onKeepMine, onTakeTheirs }: ConflictProps): JSX.Element {
  const differing = differences.filter(({ theirs, mine }) => theirs !== mine);
  return (
    <Notice kind="error">
      <h2>{text.edit.changedTitle}</h2>
      <p>{text.edit.changedHint}</p>
      {differing.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label={text.edit.changedTitle}>
          <table class="report">
            <thead>
              <tr>
                <td />
                <th scope="col">{text.edit.theirs}</th>
                <th scope="col">{text.edit.yours}</th>
              </tr>
            </thead>
            <tbody>
              {differing.map(({ label, theirs, mine }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td dir="auto">{theirs}</td>
                  <td dir="auto">{mine}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="row">
        <Button onClick={onKeepMine}>{text.edit.keepMine}</Button>
        <Button kind="primary" onClick={onTakeTheirs}>
          {text.edit.takeTheirs}
        </Button>
      </p>
    </Notice>
  );
}
