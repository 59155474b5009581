import type { JSX } from 'preact';
import { FilePage } from './file.tsx';
import { ImportsPage } from './page.tsx';

/** The pages of imports, loaded when one of them is opened; without an id the list. */
export const Imports = ({ id }: { readonly id: string | undefined }): JSX.Element =>
  id === undefined ? <ImportsPage /> : <FilePage key={id} id={id} />;
