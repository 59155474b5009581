import type { ComponentChildren, JSX } from 'preact';

interface ThingProps {
  readonly mark: string | number; // its position, or a symbol
  readonly about?: string; // the meaning of the mark for screen readers; without it the mark is decoration
  readonly target: string; // address of its page
  readonly name: string;
  readonly description: string | null;
  readonly children: ComponentChildren;
}

/** An entry of a list: its mark, its name as a link, its description, and more. */
export const Thing = (props: ThingProps): JSX.Element => (
  <li class="thing">
    <ThingContent {...props} />
  </li>
);

/** What such an entry holds, for a list that makes its entries itself. */
export const ThingContent = ({ mark, about, target, name, description, children }: ThingProps): JSX.Element => (
  <>
    <span class="position" {...(about === undefined ? { 'aria-hidden': true } : { title: about })}>
      {mark}
    </span>
    <div>
      <h2>
        <a href={target} dir="auto" draggable={false}>
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
  </>
);
