import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { text } from '../../model/text/text.ts';
import { Button, type ButtonProps } from './ui.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}

/** A modal dialog: the browser keeps the focus in it. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  return (
    <dialog ref={dialog} class={wide ? 'wide' : ''} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  readonly question: string;
  readonly yes: string;
  readonly no?: string | undefined;
  readonly onYes: () => unknown;
  readonly onClose: () => void;
}

/** Asks before something is lost; the safe answer has the focus. */
export const Confirm = ({ question, yes, no = text.edit.cancel, onYes, onClose }: ConfirmProps): JSX.Element => (
  <Dialog title={question} onClose={onClose}>
    <p class="row end">
      <Button onClick={onClose}>{no}</Button>
      <Button
        kind="danger"
        onClick={() => {
          onClose();
          onYes();
        }}
      >
        {yes}
      </Button>
    </p>
  </Dialog>
);

interface ConfirmButtonProps extends Omit<ConfirmProps, 'onClose'>, Pick<ButtonProps, 'kind' | 'label' | 'children'> {}

/** A button that asks before something is lost. */
export function ConfirmButton({ question, yes, no, onYes, ...button }: ConfirmButtonProps): JSX.Element {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)} />
      {asking && <Confirm question={question} yes={yes} no={no} onYes={onYes} onClose={() => setAsking(false)} />}
    </>
  );
}
