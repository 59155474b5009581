import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { text } from '../../model/text/text.ts';

interface ScrollBoxProps {
  readonly label: string;
  readonly kind?: string; // more classes
  readonly box?: { current: HTMLDivElement | null };
  readonly children: ComponentChildren;
}

/** A box for something wide: it scrolls, and says so while there is more to the side. */
export function ScrollBox({ label, kind = '', box, children }: ScrollBoxProps): JSX.Element {
  const own = useRef<HTMLDivElement>(null);
  const used = box ?? own;
  const [more, setMore] = useState(false);
  useEffect(() => {
    const element = used.current;
    if (element === null) return undefined;
    const look = (): void => setMore(element.scrollLeft + element.clientWidth < element.scrollWidth - 2);
    const observer = new ResizeObserver(look);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  return (
    <div class="wide-box">
      {more && <p class="quiet small scrolls">{text.report.scrolls}</p>}
      <div class={`scroll ${kind}`} ref={used} tabIndex={0} role="region" aria-label={label}>
        {children}
      </div>
    </div>
  );
}
