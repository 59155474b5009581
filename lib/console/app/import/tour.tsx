import type { JSX } from 'preact';
import { importText } from '../../model/text/import-text.ts';
import { isLoopback } from '../location.ts';

/** A link to the demo site for people without a file. Only a service on this machine has a demo site. */
export function Tour(): JSX.Element | null {
  const { hostname, protocol, port } = location;
  if (!isLoopback() || hostname.startsWith('demo.')) return null;
  return (
    <p class="quiet">
      {importText.tourHint}{' '}
      <a href={`${protocol}//demo.localhost${port === '' ? '' : `:${port}`}/console`}>{importText.tour}</a>
    </p>
  );
}
