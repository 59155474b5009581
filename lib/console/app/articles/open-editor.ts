import Made from 'squire-rte';
import type { Squire, SquireConfig } from 'squire-rte/dist/types/Editor.js';
import { cleaned, lostIn, parkStyles, stored } from './clean.ts';

/** An editor in an element of the page. */
export interface OpenEditor {
  readonly editor: Squire;
  /** Shows HTML, and returns what of it an edit would lose. What the editor itself has told is not shown anew. */
  readonly show: (html: string) => readonly string[] | undefined;
  readonly end: () => void;
}

interface Told {
  readonly onInput: (html: string) => void; // after an edit: what was shown, to the byte, if all edits were undone
  readonly onImages: (areRefused: boolean) => void; // that came in by a paste; only addresses of the web are taken
}

const NOT_OURS = 'img:is([src^="data:"], [src^="blob:"], [src^="file:"])';

// The package's entry names its types by a path that this project's resolution does not find.
const createSquire = (root: HTMLElement, config: Partial<SquireConfig>): Squire => new Made(root, config);

export function openEditor(root: HTMLElement, { onInput, onImages }: Told): OpenEditor {
  let isPaste = false;
  let shown: string | undefined; // as it is stored
  let untouched = { stored: '', html: '' };
  const editor = createSquire(root, {
    blockTag: 'P',
    sanitizeToDOMFragment: (html) => {
      const fragment = cleaned(html);
      if (isPaste) onImages(withoutImages(fragment));
      return fragment;
    },
  });
  isPaste = true;
  const read = (): void => {
    parkStyles(root);
    const html = editor.getHTML();
    const now = html === untouched.html ? untouched.stored : isEmpty(root) ? '' : stored(html);
    if (now === shown) return;
    shown = now;
    onInput(now);
  };
  editor.addEventListener('input', read).addEventListener('pasteImage', () => onImages(true));
  return {
    editor,
    show: (html) => {
      if (html === shown) return undefined;
      isPaste = false;
      editor.setHTML(html);
      isPaste = true;
      parkStyles(root);
      shown = html;
      untouched = { stored: html, html: editor.getHTML() };
      return lostIn(html, stored(untouched.html));
    },
    end: () => editor.destroy(),
  };
}

function withoutImages(fragment: DocumentFragment): boolean {
  const images = fragment.querySelectorAll(NOT_OURS);
  for (const image of images) image.remove();
  return images.length > 0;
}

const isEmpty = (text: HTMLElement): boolean =>
  text.textContent?.trim() === '' && text.querySelector('img, hr, table, audio, li') === null;
