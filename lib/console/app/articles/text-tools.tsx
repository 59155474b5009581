import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Squire } from 'squire-rte/dist/types/Editor.js';
import { articleText } from '../../model/text/article-text.ts';
import { TextField } from '../ui/fields.tsx';
import { Button, Popover } from '../ui/ui.tsx';

interface Tool {
  readonly name: string; // what it does, with its keys
  readonly sign: string;
  readonly isOn: (editor: Squire) => boolean;
  readonly act: (editor: Squire, isOn: boolean) => unknown;
}

const { tools } = articleText;

const TOOLS: readonly Tool[] = [
  {
    name: tools.bold,
    sign: 'B',
    isOn: (editor) => editor.hasFormat('B'),
    act: (editor, isOn) => (isOn ? editor.removeBold() : editor.bold()),
  },
  {
    name: tools.italic,
    sign: 'I',
    isOn: (editor) => editor.hasFormat('I'),
    act: (editor, isOn) => (isOn ? editor.removeItalic() : editor.italic()),
  },
  {
    name: tools.bullets,
    sign: '•',
    isOn: (editor) => editor.hasFormat('UL'),
    act: (editor, isOn) => (isOn ? editor.removeList() : editor.makeUnorderedList()),
  },
  {
    name: tools.numbers,
    sign: '1.',
    isOn: (editor) => editor.hasFormat('OL'),
    act: (editor, isOn) => (isOn ? editor.removeList() : editor.makeOrderedList()),
  },
  {
    name: tools.code,
    sign: '</>',
    isOn: (editor) => editor.hasFormat('CODE') || editor.hasFormat('PRE'),
    act: (editor) => editor.toggleCode(),
  },
];

const BLOCKS = 'p, div, h1, h2, h3, h4, h5, h6';

/** Makes paragraphs of the lines that the selection touches, or headings. */
const setBlocks = (editor: Squire, tag: string): Squire =>
  editor.modifyBlocks((fragment) => {
    for (const block of fragment.querySelectorAll(BLOCKS)) {
      if (block.querySelector(`${BLOCKS}, ul, ol, table, blockquote, pre`)) continue;
      const made = document.createElement(tag);
      for (const { name, value } of block.attributes) made.setAttribute(name, value);
      made.append(...block.childNodes);
      block.replaceWith(made);
    }
    return fragment;
  });

/** What can be done with the selected words. */
export function TextTools({ editor }: { readonly editor: Squire }): JSX.Element {
  const [path, setPath] = useState('');
  useEffect(() => {
    const look = (): void => setPath(`${editor.getPath()} ${TOOLS.map(({ isOn }) => isOn(editor))}`);
    editor.addEventListener('pathChange', look).addEventListener('select', look).addEventListener('input', look);
  }, [editor]);
  const heading = /\bH[1-6]\b/.exec(path)?.[0] ?? 'P';
  const then = (act: () => unknown): void => {
    act();
    editor.focus();
  };
  return (
    <div class="text-tools" role="group" aria-label={tools.title}>
      <select
        class="input"
        aria-label={tools.block}
        value={heading}
        onChange={({ currentTarget }) => then(() => setBlocks(editor, currentTarget.value))}
      >
        {tools.blocks.map(([tag, name]) => (
          <option key={tag} value={tag}>
            {name}
          </option>
        ))}
      </select>
      {TOOLS.map(({ name, sign, isOn, act }) => (
        <button
          key={name}
          type="button"
          class="button"
          aria-label={name}
          title={name}
          aria-pressed={isOn(editor)}
          onClick={() => then(() => act(editor, isOn(editor)))}
        >
          <span aria-hidden="true">{sign}</span>
        </button>
      ))}
      <Popover label={tools.link}>
        {(close) => <LinkFields editor={editor} onDone={(act) => [close(), then(act)]} />}
      </Popover>
      <Popover label={tools.image}>
        {(close) => <ImageFields editor={editor} onDone={(act) => [close(), then(act)]} />}
      </Popover>
      <Button label={tools.undo} onClick={() => editor.undo()}>
        <span aria-hidden="true">↶</span>
      </Button>
      <Button label={tools.redo} onClick={() => editor.redo()}>
        <span aria-hidden="true">↷</span>
      </Button>
    </div>
  );
}

interface InsertProps {
  readonly editor: Squire;
  readonly onDone: (act: () => unknown) => void;
}

/** The address as it is written into the text: one without a scheme is a page of the web. Undefined for one that leads nowhere. */
function addressOf(typed: string, schemes: readonly string[]): string | undefined {
  const given = typed.trim();
  if (/^[/#?]/.test(given)) return given;
  const whole = /^[a-z][a-z\d+.-]*:/i.test(given)
    ? given
    : given.includes('@')
      ? `mailto:${given}`
      : `https://${given}`;
  return given !== '' && URL.canParse(whole) && schemes.includes(new URL(whole).protocol) ? whole : undefined;
}

function LinkFields({ editor, onDone }: InsertProps): JSX.Element {
  const [address, setAddress] = useState(() => linkOf(editor)?.getAttribute('href') ?? '');
  const url = addressOf(address, ['http:', 'https:', 'mailto:', 'tel:']);
  return (
    <>
      <TextField label={tools.address} hint={tools.linkHint} value={address} onInput={setAddress} />
      <p class="row">
        <Button kind="primary" disabled={url === undefined} onClick={() => onDone(() => editor.makeLink(url ?? ''))}>
          {tools.setLink}
        </Button>
        {editor.hasFormat('A') && <Button onClick={() => onDone(() => editor.removeLink())}>{tools.removeLink}</Button>}
      </p>
    </>
  );
}

/** The link in which the selection begins. */
function linkOf(editor: Squire): Element | null {
  const { startContainer } = editor.getSelection();
  const within = startContainer instanceof Element ? startContainer : startContainer.parentElement;
  return within?.closest('a') ?? null;
}

function ImageFields({ editor, onDone }: InsertProps): JSX.Element {
  const [address, setAddress] = useState('');
  const [alt, setAlt] = useState('');
  const url = addressOf(address, ['http:', 'https:']);
  return (
    <>
      <TextField label={tools.address} hint={tools.imageHint} value={address} onInput={setAddress} />
      <TextField label={tools.alt} value={alt} onInput={setAlt} />
      <Button
        kind="primary"
        disabled={url === undefined}
        onClick={() => onDone(() => editor.insertImage(url ?? '', { alt }))}
      >
        {tools.setImage}
      </Button>
    </>
  );
}
