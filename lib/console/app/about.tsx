import type { JSX } from 'preact';
import { findField } from '../model/fields.ts';
import { text } from '../model/text/text.ts';
import { useApp } from './context.tsx';
import { href } from './location.ts';

/** What a number means, and the way to the glossary of all numbers. */
export function About({ field }: { readonly field: string }): JSX.Element {
  const { definitions } = useApp();
  const definition = definitions && findField(definitions, field);
  return (
    <div class="about">
      {definition && (
        <p>
          <strong>{definition.label}</strong> {definition.meaning}
        </p>
      )}
      <p>
        <a href={href('/glossary', new URLSearchParams({ number: field }))}>{text.glossary.all}</a>
      </p>
    </div>
  );
}
