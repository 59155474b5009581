import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FieldDefinition } from '../../model/definitions.ts';
import { matchingOptions } from '../../model/search.ts';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { href } from '../location.ts';
import { TextField } from '../ui/fields.tsx';

/** The page that says what each number means; the `number` of the query is the name of the one that was asked for. */
export function Glossary({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const { definitions } = useApp();
  const [search, setSearch] = useState('');
  const all = definitions?.fields ?? [];
  const found = matchingOptions(
    all.map((field) => ({ id: field.name, name: field.label, also: field.also_called.join(' '), field })),
    search,
  );
  const groups = [...new Set(found.map(({ field }) => field.group))];
  return (
    <div class="page narrow">
      <h1>{text.glossary.title}</h1>
      <TextField label={text.glossary.find} value={search} onInput={setSearch} input={{ type: 'search' }} />
      {found.length === 0 && <p class="quiet">{text.report.noMatch}</p>}
      {groups.map((group) => (
        <section key={group} class="card" aria-label={group}>
          <h2>{group}</h2>
          <dl class="glossary">
            {found.map(
              ({ field }) => field.group === group && <Entry key={field.name} field={field} at={query.get('number')} />,
            )}
          </dl>
        </section>
      ))}
    </div>
  );
}

function Entry({ field, at }: { readonly field: FieldDefinition; readonly at: string | null }): JSX.Element {
  const { names, definitions } = useApp();
  const { name, label, meaning, unit, may_change, null_by, also_called } = field;
  const own = useRef<HTMLDivElement>(null);
  const isAsked = name === at?.split(':')[0];
  useEffect(() => {
    if (isAsked) own.current?.scrollIntoView({ block: 'center' });
  }, [isAsked]);
  const hasStatistics = definitions?.durations.some((duration) => duration.name === name);
  return (
    <div ref={own} class={isAsked ? 'asked' : ''}>
      <dt>
        <a href={href('/report', new URLSearchParams({ show: name }))}>{label}</a>{' '}
        <span class="quiet small">{text.glossary.unit(unit)}</span>
      </dt>
      <dd>
        <p>{meaning}</p>
        {hasStatistics && <p class="quiet">{text.glossary.statistics}</p>}
        {may_change && <p class="quiet">{text.report.mayChange}</p>}
        {null_by.length > 0 && <p class="quiet">{text.glossary.nullBy(text.listAnd(null_by.map(names.label)))}</p>}
        <p class="quiet small">{text.glossary.also(also_called.join(', '), name)}</p>
      </dd>
    </div>
  );
}
