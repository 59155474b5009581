import { type MailContent, moreRows, type Section, type ShownCell } from './content.ts';

/** The mail as text, for clients and people without HTML. */
export function plainOf({ title, lead, sections, link, why }: MailContent): string {
  const parts = [
    [oneLine(title), ...lead.map(oneLine)].join('\n'),
    ...sections.map(sectionText),
    `${link.label}:\n${link.href}`,
    `-- \n${why}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function sectionText(section: Section): string {
  if (section.kind === 'numbers') {
    return section.numbers
      .map(
        ({ label, value, change, why = [], ranges, goal }) =>
          `${oneLine(label)}: ${value}${change ? ` (${change.text})` : ''}${goal ? `. ${oneLine(goal)}` : ''}${ranges ? `\n  ${ranges}` : ''}${why.map((line) => `\n  ${oneLine(line)}`).join('')}`,
      )
      .join('\n');
  }
  if ('words' in section) {
    const lines = section.words.split(/\r?\n/).map(oneLine);
    return section.kind === 'heading' ? lines.join(' ').toUpperCase() : lines.map((line) => `  ${line}`).join('\n');
  }
  const title = oneLine(section.title);
  if (section.kind === 'note') return `${title}\n${oneLine(section.note)}`;
  const { columns, rows, total, left, range, goal } = section;
  const lines: (readonly ShownCell[])[] = [columns.map((column) => ({ text: column.title })), ...rows];
  if (total) lines.push(total);
  const texts = lines.map((cells) => cells.map(({ text }) => oneLine(text)));
  const widths = columns.map((_, index) => Math.max(...texts.map((cells) => [...(cells[index] ?? '')].length)));
  const table = texts.map((cells) =>
    cells
      .map((cell, index) => {
        const blanks = ' '.repeat((widths[index] ?? 0) - [...cell].length);
        return columns[index]?.isNumber ? blanks + cell : cell + blanks;
      })
      .join('  ')
      .trimEnd(),
  );
  const more = left > 0 ? [`… and ${moreRows(left)}`] : [];
  return [title, range, ...(goal ? [oneLine(goal)] : []), ...table, ...more].join('\n');
}

/** A text without line breaks, so that no name looks like another line of the mail. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
