import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { articleText } from '../../model/text/article-text.ts';
import { type OpenEditor, openEditor } from './open-editor.ts';
import { showPaper } from './paper-style.ts';
import { TextTools } from './text-tools.tsx';

interface PaperProps {
  readonly label: string;
  readonly value: string;
  readonly locale: string | undefined;
  readonly isEditable: boolean;
  readonly onInput: (html: string) => void;
  /** What of the value would be lost by an edit, each time when a value is shown. */
  readonly onShown: (lost: readonly string[]) => void;
}

const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|iw|ps|sd|syr|ug|ur|yi)([-_]|$)/i;
const HAS_COLOURS = /color|background/i;

/**
 * A text as readers see it, to edit in place. The value changes by edits alone: one that is only shown, or whose edits
 * were all undone, stays as it is to the byte.
 */
export function Paper({ label, value, locale = '', isEditable, onInput, onShown }: PaperProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<OpenEditor>();
  const [refused, setRefused] = useState(false);
  const tell = useRef(onInput);
  tell.current = onInput;
  useLayoutEffect(() => {
    if (root.current === null) return undefined;
    showPaper();
    const made = openEditor(root.current, { onInput: (html) => tell.current(html), onImages: setRefused });
    setOpen(made);
    return made.end;
  }, []);
  useLayoutEffect(() => {
    const lost = open?.show(value);
    if (lost) onShown(lost);
  }, [open, value]);
  useLayoutEffect(() => {
    if (root.current) root.current.contentEditable = String(isEditable);
  }, [open, isEditable]);
  const drop = (event: DragEvent): void => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    setRefused(true);
  };
  return (
    <>
      {open && isEditable && <TextTools editor={open.editor} />}
      <div
        ref={root}
        class={HAS_COLOURS.test(value) ? 'paper input white' : 'paper input'}
        role="textbox"
        aria-multiline="true"
        aria-label={label}
        aria-readonly={!isEditable}
        tabIndex={0}
        lang={locale.replaceAll('_', '-')}
        dir={RIGHT_TO_LEFT.test(locale) ? 'rtl' : 'auto'}
        onClick={stay}
        onDrop={drop}
      />
      <p class="fault small" role="status">
        {refused && articleText.imageRefused}
      </p>
    </>
  );
}

/** A link of a text that is only shown would leave the page. */
const stay = (event: Event): void => {
  if (event.target instanceof Element && event.target.closest('a')) event.preventDefault();
};
