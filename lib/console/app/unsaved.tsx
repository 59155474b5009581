import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { text } from '../model/text/text.ts';
import { setGuard } from './location.ts';
import { Confirm } from './ui/dialog.tsx';

/** The pages that have something unsaved, with the addresses that keep it. */
const unsaved = new Map<symbol, (address: URL) => boolean>();

/**
 * While `is` holds, leaving the page by a link, the browser's history or the tab's end asks first, but for an address
 * that keeps the changes. Returns a function that lets the page be left without a question, as after saving.
 */
export function useUnsaved(is: boolean, keeps: (address: URL) => boolean = () => false): () => void {
  const mark = useRef(Symbol());
  useEffect(() => {
    if (!is) return undefined;
    const own = mark.current;
    unsaved.set(own, keeps);
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    if (!keeps(new URL(location.href))) addEventListener('beforeunload', warn);
    return () => {
      unsaved.delete(own);
      removeEventListener('beforeunload', warn);
    };
  }, [is]);
  return () => void unsaved.delete(mark.current);
}

/** The question whether unsaved changes are given up, asked before another page is shown. */
export function LeaveQuestion(): JSX.Element | null {
  const [leave, setLeave] = useState<(() => void) | undefined>();
  useEffect(() => {
    setGuard((address, next) => {
      const target = new URL(address, location.href);
      if ([...unsaved.values()].every((keeps) => keeps(target))) return false;
      setLeave(() => next);
      return true;
    });
    return () => setGuard(undefined);
  }, []);
  if (leave === undefined) return null;
  return (
    <Confirm
      question={text.edit.leave}
      yes={text.edit.leaveYes}
      no={text.edit.stay}
      onYes={() => {
        unsaved.clear();
        leave();
      }}
      onClose={() => setLeave(undefined)}
    />
  );
}
