import type { ComponentChildren, JSX } from 'preact';
import { text } from '../../model/text/text.ts';

interface ChipProps {
  readonly label: string;
  readonly onRemove: (() => void) | undefined; // undefined if it cannot be removed
  readonly children?: ComponentChildren;
}

/** A word of the sentence, with a button to remove it. */
export const Chip = ({ label, onRemove, children }: ChipProps): JSX.Element => (
  <span class="chip">
    {children ?? <span dir="auto">{label}</span>}
    {onRemove && (
      <button type="button" class="remove" aria-label={text.report.remove(label)} onClick={onRemove}>
        ×
      </button>
    )}
  </span>
);
