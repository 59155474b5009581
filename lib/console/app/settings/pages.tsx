import type { JSX } from 'preact';
import { deskWords } from '../../model/settings/desks.ts';
import { settingsText } from '../../model/text/settings-text.ts';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { href } from '../location.ts';
import { Notice } from '../ui/ui.tsx';
import { Account } from './account.tsx';
import { HelpDesk } from './desk.tsx';
import { WorkingHours } from './hours.tsx';
import { Promises } from './promises.tsx';
import { SiteSettings } from './site.tsx';
import { Sources } from './sources.tsx';
import { AllTokens } from './tokens.tsx';
import { Users } from './users.tsx';

interface Part {
  readonly path: string;
  readonly title: string;
  readonly forAll: boolean; // not for Administrators alone
  readonly show: (id: string | undefined) => JSX.Element; // `id` of one of its things
}

const { parts } = settingsText;
const PARTS: readonly Part[] = [
  { path: '', title: parts.account, forAll: true, show: () => <Account /> },
  { path: 'site', title: parts.site, forAll: false, show: () => <SiteSettings /> },
  { path: 'users', title: parts.users, forAll: false, show: () => <Users /> },
  { path: 'hours', title: parts.hours, forAll: false, show: () => <WorkingHours /> },
  { path: 'promises', title: parts.promises, forAll: false, show: (id) => <Promises id={id} /> },
  { path: 'desk', title: deskWords.title, forAll: false, show: () => <HelpDesk /> },
  { path: 'sources', title: parts.sources, forAll: false, show: () => <Sources /> },
  { path: 'tokens', title: parts.tokens, forAll: false, show: () => <AllTokens /> },
];

interface SettingsProps {
  readonly id: string | undefined; // of a part
  readonly more: string | undefined; // the id of one of its things
}

/** The pages of settings, loaded when one of them is opened. */
export function Settings({ id: part = '', more }: SettingsProps): JSX.Element {
  const { mayAdminister } = useApp();
  const shown = PARTS.find(({ path }) => path === part);
  const open = PARTS.filter(({ forAll }) => forAll || mayAdminister);
  const target = (path: string): string => href(path === '' ? '/settings' : `/settings/${path}`);
  return (
    <div class="page narrow">
      <h1>{text.settings.title}</h1>
      {open.length > 1 && (
        <nav class="tabs" aria-label={text.settings.title}>
          {open.map(({ path, title }) => (
            <a key={path} href={target(path)} aria-current={path === part ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
      )}
      {shown !== undefined && open.includes(shown) ? (
        <section key={part} class="part">
          {shown.show(more)}
        </section>
      ) : (
        <Notice>{shown === undefined ? text.error.notFound : settingsText.notYou}</Notice>
      )}
    </div>
  );
}
