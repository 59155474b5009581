import type { ComponentChildren, JSX } from 'preact';
import { caseAddress } from '../../../case-url.ts';
import { caseText } from '../../model/text/case-text.ts';
import { useApp } from '../context.tsx';

interface LinkProps {
  readonly id: string;
  readonly children?: ComponentChildren; // words; an arrow alone stands beside a number
}

/** A link to a case in the help desk; nothing if the site has no address for cases. */
export function HelpDeskLink({ id, children }: LinkProps): JSX.Element | null {
  const template = useApp().definitions?.site.case_url ?? null;
  if (template === null) return null;
  const label = children === undefined ? { 'aria-label': caseText.inHelpDesk(id), class: 'away' } : { class: 'button' };
  return (
    <a {...label} href={caseAddress(template, id)} target="_blank" rel="noreferrer">
      {children} <span aria-hidden="true">↗</span>
    </a>
  );
}
