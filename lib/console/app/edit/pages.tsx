import type { JSX } from 'preact';
import { MacrosPage } from './macros.tsx';
import { TopicsPage } from './topics.tsx';

interface EditProps {
  readonly what: 'topics' | 'macros';
  readonly id: string | undefined; // undefined for the list
}

/** The pages of topics and macros, loaded when one of them is opened. */
export const Edited = ({ what, id }: EditProps): JSX.Element =>
  what === 'topics' ? <TopicsPage id={id} /> : <MacrosPage id={id} />;
