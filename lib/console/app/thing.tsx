import type { ComponentChildren, JSX } from 'preact';

interface ThingProps {
  readonly mark: string | number; // its position, or a sign for what it is
  readonly about?: string; // what the mark says; without it the mark is decoration
  readonly target: string; // address of its page
  readonly name: string;
  readonly description: string | null;
  readonly children: ComponentChildren;
}

/** One thing of a list: its mark, its name that leads to it, its description, and what else there is to say. */
export function Thing({ mark, about, target, name, description, children }: ThingProps): JSX.Element {
  return (
    <li class="thing">
      <span class="position" {...(about === undefined ? { 'aria-hidden': true } : { title: about })}>
        {mark}
      </span>
      <div>
        <h2>
          <a href={target} dir="auto">
            {name}
          </a>
        </h2>
        {description && (
          <p class="quiet" dir="auto">
            {description}
          </p>
        )}
        {children}
      </div>
    </li>
  );
}
