import { Parser } from 'htmlparser2';

/** Elements that stand apart from what is before and after them. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary table tbody tfoot thead title tr ul'
  ).split(' '),
);
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);
const UNREAD: ReadonlySet<string> = new Set(['script', 'style']);
const DEEPEST = 1_000; // elements around a text: each end of one is looked for among all that are open

/**
 * The text of HTML: without tags, scripts, styles and comments, entities resolved. `<br>` is a line break, blocks are
 * apart by an empty line, runs of white space are one space. With `links` a link's target follows its text in brackets.
 * What follows after more than `DEEPEST` open elements is left out.
 */
export function plainText(html: string, { links = false } = {}): string {
  const targets: string[] = [];
  let text = '';
  let gap = { space: false, lines: 0, apart: false }; // between the text so far and what follows
  let unread = 0; // how many elements around are not read
  let depth = 0;

  const add = (part: string): void => {
    if (unread > 0) return;
    const words = part.replace(/\s+/g, ' ');
    if (words.startsWith(' ')) gap.space = true;
    const trimmed = words.trim();
    if (trimmed === '') return;
    if (text !== '') text += gap.apart ? '\n\n' : '\n'.repeat(gap.lines) || (gap.space ? ' ' : '');
    text += trimmed;
    gap = { space: words.endsWith(' '), lines: 0, apart: false };
  };
  const stepApart = (name: string): void => {
    if (BLOCKS.has(name)) gap.apart = true;
    else if (CELLS.has(name)) gap.space = true;
  };
  const parser = new Parser({
    ontext: add,
    onopentag: (name, { href = '' }) => {
      depth += 1;
      if (depth > DEEPEST) parser.pause();
      if (UNREAD.has(name)) unread += 1;
      else if (name === 'br') gap.lines += 1;
      else if (name === 'a') targets.push(href.trim());
      else stepApart(name);
    },
    onclosetag: (name) => {
      depth -= 1;
      if (UNREAD.has(name)) unread -= 1;
      const target = name === 'a' ? targets.pop() : undefined;
      if (links && target) add(` (${target})`);
      stepApart(name);
    },
  });
  parser.end(html);
  return text;
}
