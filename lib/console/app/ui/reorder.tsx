import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';

interface ReorderProps<T> {
  readonly entries: readonly T[];
  readonly keyOf: (entry: T, index: number) => string | number;
  readonly nameOf: (entry: T) => string;
  readonly onMove: ((from: number, to: number) => void) | undefined; // undefined if the order is fixed
  readonly hasInputs?: boolean; // in which a drag selects text, so that the buttons alone move entries
  readonly children: (entry: T, index: number) => JSX.Element;
}

/** A list whose entries are moved by drag, or by two buttons, which keep the focus; the new place is said. */
export function Reorder<T>({
  entries,
  keyOf,
  nameOf,
  onMove,
  hasInputs = false,
  children,
}: ReorderProps<T>): JSX.Element {
  const { say } = useApp();
  const [dragged, setDragged] = useState<number | undefined>();
  const [over, setOver] = useState<number | undefined>();
  const list = useRef<HTMLOListElement>(null);
  const move = (from: number, to: number): void => {
    if (onMove === undefined || from === to || to < 0 || to >= entries.length) return;
    const entry = entries[from];
    onMove(from, to);
    if (entry !== undefined) say(text.move.said(nameOf(entry), to + 1, entries.length));
  };
  const step = (from: number, by: -1 | 1): void => {
    move(from, from + by);
    // The list renders first; its buttons keep their places, so the focus follows the entry.
    requestAnimationFrame(() => {
      const row = list.current?.children[from + by];
      const own = row?.querySelector<HTMLButtonElement>(`[data-step="${by}"]:not(:disabled)`);
      (own ?? row?.querySelector<HTMLButtonElement>('[data-step]:not(:disabled)'))?.focus();
    });
  };
  return (
    <ol class="things" ref={list}>
      {entries.map((entry, index) => (
        <li
          key={keyOf(entry, index)}
          class={`thing${onMove ? ' movable' : ''}${over === index && dragged !== index ? ' over' : ''}`}
          draggable={onMove !== undefined && !hasInputs}
          onDragStart={(event) => {
            setDragged(index);
            event.dataTransfer?.setData('text/plain', nameOf(entry)); // Firefox drags nothing without data
          }}
          onDragOver={(event) => {
            if (dragged === undefined) return;
            event.preventDefault();
            setOver(index);
          }}
          onDrop={(event) => {
            event.preventDefault();
            if (dragged !== undefined) move(dragged, index);
          }}
          onDragEnd={() => {
            setDragged(undefined);
            setOver(undefined);
          }}
        >
          {children(entry, index)}
          {onMove && (
            <span class="moves">
              <Step by={-1} name={nameOf(entry)} disabled={index === 0} onStep={() => step(index, -1)} />
              <Step by={1} name={nameOf(entry)} disabled={index === entries.length - 1} onStep={() => step(index, 1)} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

interface StepProps {
  readonly by: -1 | 1;
  readonly name: string;
  readonly disabled: boolean;
  readonly onStep: () => void;
}

const Step = ({ by, name, disabled, onStep }: StepProps): JSX.Element => (
  <button
    type="button"
    class="button quiet"
    data-step={by}
    disabled={disabled}
    aria-label={by < 0 ? text.move.earlier(name) : text.move.later(name)}
    onClick={onStep}
  >
    <span aria-hidden="true">{by < 0 ? '↑' : '↓'}</span>
  </button>
);
