import type { JSX } from 'preact';
import { text } from '../../model/text.ts';
import { href } from '../location.ts';
import { Empty } from '../ui.tsx';

/** How history gets in. */
export const ImportPage = (): JSX.Element => (
  <div class="page">
    <h1>{text.importing.title}</h1>
    <Empty title={text.importing.tour} hint={text.importing.tourHint}>
      <p>{text.importing.notThere}</p>
      <a href={href('')}>{text.nav.overview}</a>
    </Empty>
  </div>
);
