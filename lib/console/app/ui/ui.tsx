import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { matchingOptions } from '../../model/search.ts';
import { text } from '../../model/text/text.ts';
import { useOnce } from './once.ts';

export interface ButtonProps {
  readonly onClick: () => unknown; // a promise: the next press counts when it has ended
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly disabled?: boolean;
  readonly label?: string; // for screen readers, if the children have no text
}

export const Button = ({ onClick, children, kind = 'plain', disabled = false, label }: ButtonProps): JSX.Element => (
  <button
    type="button"
    class={`button ${kind}`}
    onClick={useOnce(() => onClick())}
    disabled={disabled}
    aria-label={label}
  >
    {children}
  </button>
);

/** An important message, with what can be done about it. */
export const Notice = ({
  kind = 'info',
  children,
}: {
  readonly kind?: 'info' | 'error' | 'good';
  readonly children: ComponentChildren;
}): JSX.Element => (
  <div class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
    {children}
  </div>
);

/** Shown in place of an empty list: why it is empty and what to do. */
export const Empty = ({
  title,
  hint,
  children,
}: {
  readonly title: string;
  readonly hint: string;
  readonly children?: ComponentChildren;
}): JSX.Element => (
  <div class="empty">
    <h2>{title}</h2>
    <p>{hint}</p>
    {children}
  </div>
);

interface PopoverProps {
  readonly label: ComponentChildren;
  readonly name?: string; // for screen readers, if the label is not enough
  readonly kind?: string; // classes of the button
  readonly align?: 'start' | 'end';
  readonly children: (close: () => void) => ComponentChildren;
}

/**
 * A button that opens a panel below it. Escape and a click elsewhere close the panel; the focus returns to the button.
 */
export function Popover({ label, name, kind = 'button plain', align = 'start', children }: PopoverProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const id = useId();
  const box = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useLayoutEffect(() => {
    if (!open) return undefined;
    const panel = box.current?.querySelector<HTMLElement>('.panel');
    if (panel) keepInside(panel);
    panel?.querySelector<HTMLElement>(':is(input, button, select, a)')?.focus();
    return whenLeft(box, close, () => setOpen(false));
  }, [open]);
  return (
    <span class="popover" ref={box}>
      <button
        type="button"
        ref={button}
        class={kind}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={name}
        onClick={() => setOpen(!open)}
      >
        {label}
      </button>
      {open && (
        <div
          id={id}
          class={`panel ${align}`}
          role="dialog"
          aria-label={name ?? (typeof label === 'string' ? label : undefined)}
          onKeyDown={keepEnter}
        >
          {children(close)}
        </div>
      )}
    </span>
  );
}

/** Moves a panel back that would leave the window. */
function keepInside(panel: HTMLElement): void {
  const { left, right } = panel.getBoundingClientRect();
  const over = Math.max(0, right + 8 - document.documentElement.clientWidth);
  panel.style.translate = `${Math.max(-over, 8 - left)}px`;
}

/** Enter in an input of a panel would send the form around the panel. */
const keepEnter = (event: KeyboardEvent): void => {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
};

interface MenuProps {
  readonly label: string;
  readonly kind?: string; // classes of the button
  readonly items: readonly (readonly [label: string, act: () => unknown])[];
}

/** A button that opens a list of actions; choosing one closes the list. */
export const Menu = ({ label, kind = 'button plain', items }: MenuProps): JSX.Element => (
  <Popover label={`${label} ▾`} name={label} kind={kind} align="end">
    {(close) =>
      items.map(([name, act]) => (
        <button
          key={name}
          type="button"
          class="option"
          onClick={() => {
            act();
            close();
          }}
        >
          {name}
        </button>
      ))
    }
  </Popover>
);

/** Listens for Escape within a box, and for clicks and focus outside of it. Returns a function that stops listening. */
export function whenLeft(
  box: { readonly current: HTMLElement | null },
  onEscape: () => void,
  onOutside: () => void,
): () => void {
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onEscape();
  };
  const outside = (event: Event): void => {
    if (event.target instanceof Node && !box.current?.contains(event.target)) onOutside();
  };
  const element = box.current;
  element?.addEventListener('keydown', key);
  document.addEventListener('pointerdown', outside);
  document.addEventListener('focusin', outside);
  return () => {
    element?.removeEventListener('keydown', key);
    document.removeEventListener('pointerdown', outside);
    document.removeEventListener('focusin', outside);
  };
}

interface Option {
  readonly id: string;
  readonly name: string;
  readonly hint?: string;
  readonly group?: string;
  readonly also?: string; // other words that find it
}

const SHOWN = 100; // options; others are found by typing

interface PickProps {
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onPick: (id: string) => void;
  readonly label: string;
}

/** A list of options: typing filters it, and arrow keys move in it. */
export function PickList({ options, chosen, onPick, label }: PickProps): JSX.Element {
  const [search, setSearch] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const matching = matchingOptions(options, search);
  const shown = matching.slice(0, SHOWN);
  return (
    <div class="pick" ref={list} onKeyDown={(event) => moveFocus(event, list.current)}>
      {options.length > 8 && (
        <input
          type="search"
          class="input"
          aria-label={`${text.report.search}: ${label}`}
          placeholder={text.report.search}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ul aria-label={label}>
        {shown.map((option, index) => (
          <li key={option.id}>
            {option.group && option.group !== shown[index - 1]?.group && <p class="group">{option.group}</p>}
            <button
              type="button"
              class="option"
              aria-pressed={chosen.includes(option.id)}
              title={option.hint}
              onClick={() => onPick(option.id)}
            >
              <span>{option.name}</span>
              {chosen.includes(option.id) && <span aria-hidden="true">✓</span>}
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="quiet">{text.report.noMatch}</p>}
      {matching.length > shown.length && <p class="quiet">{text.report.more(matching.length - shown.length)}</p>}
    </div>
  );
}

/** Moves the focus by arrow keys between the search field and the buttons of a list. */
export function moveFocus(event: KeyboardEvent, box: HTMLElement | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || box === null) return;
  const stops = [...box.querySelectorAll<HTMLElement>('input, button')];
  const at = stops.findIndex((stop) => stop.matches(':focus'));
  event.preventDefault();
  stops[Math.min(stops.length - 1, Math.max(0, at + step))]?.focus();
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly children: (attributes: {
    id: string;
    'aria-describedby'?: string;
    'aria-invalid'?: boolean;
  }) => ComponentChildren;
}

/** An input with its label, and its hint or error. */
export function Field({ label, hint, error, children }: FieldProps): JSX.Element {
  const id = useId();
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described && { 'aria-describedby': described }),
        ...(error && { 'aria-invalid': true }),
      })}
      {hint && !error && (
        <p class="quiet small" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="fault small" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** A placeholder for content that is still loading. */
export const Skeleton = ({ tall = false }: { readonly tall?: boolean }): JSX.Element => (
  <div class={tall ? 'skeleton tall' : 'skeleton'} aria-hidden="true" />
);
