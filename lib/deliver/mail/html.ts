import { textPieces } from '../../console/model/board/words.ts';
import { escapeHtml } from '../../text.ts';
import {
  type MailContent,
  moreRows,
  type NumbersSection,
  type Section,
  type ShownCell,
  type WordsSection,
} from './content.ts';

/** Where the way out goes, which differs for each recipient. No text of a site can contain it: signs are escaped. */
export const WAY_OUT = '<!--way-out-->';

/**
 * The mail as HTML: tables and inline styles, which every client knows; the style sheet in the head is for those that
 * know dark mode, and may be dropped. No image, no script, nothing that is loaded.
 */
export function htmlOf({ title, lead, sections, link, why }: MailContent): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body class="page" style="margin:0;padding:0;${ON_PAGE}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="${ON_PAGE}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:640px;background:#ffffff;border:1px solid #d8dce5;border-radius:8px"><tr><td class="inside" style="padding:24px">
<h1 dir="auto" style="margin:0 0 4px;${WRAPS};font-size:22px;line-height:1.3">${escapeHtml(title)}</h1>
${lead.map((sentence) => `<p class="soft" style="margin:0 0 4px;${SOFT}">${escapeHtml(sentence)}</p>`).join('\n')}
${sections.map(sectionHtml).join('\n')}
<p style="margin:24px 0 0"><a class="button" href="${escapeHtml(link.href)}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#4338ca;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(link.label)}</a></p>
</td></tr></table>
<p class="soft" style="max-width:640px;margin:16px auto 0;font-size:13px;${SOFT}">${escapeHtml(why)}${WAY_OUT}</p>
</td></tr></table>
</body>
</html>
`;
}

const ON_PAGE =
  "background:#f3f4f8;color:#1b1f2a;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:15px;line-height:1.5";
const WRAPS = 'overflow-wrap:anywhere;word-break:break-word'; // a name without blanks would widen the mail
const SOFT = 'color:#5a6072';
const VERDICTS = { better: 'color:#14733b', worse: 'color:#b3261e', same: SOFT, flat: SOFT } as const;

const STYLE = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){
.inside{padding:14px 8px!important}
.line{padding-left:2px!important;padding-right:2px!important}
}
@media (prefers-color-scheme:dark){
.page{background:#12141c!important;color:#e7e9f0!important}
.card{background:#1b1e29!important;border-color:#343a4d!important}
.soft{color:#a7aec2!important}
.line{border-color:#343a4d!important}
.better{color:#6fd39a!important}
.worse{color:#ff9d94!important}
.bar{background:#8b87f5!important}
.link{color:#aaa7ff!important}
.button{background:#aaa7ff!important;color:#12141c!important}
}`.trim();

function sectionHtml(section: Section): string {
  if (section.kind === 'numbers') return numbersHtml(section);
  if ('words' in section) return wordsHtml(section);
  const heading = `<h2 dir="auto" style="margin:16px 0 2px;${WRAPS};font-size:17px;line-height:1.3">${escapeHtml(section.title)}</h2>`;
  if (section.kind === 'note')
    return `${heading}\n<p class="soft" style="margin:0;${SOFT}">${escapeHtml(section.note)}</p>`;
  const { columns, rows, total, empty, left, range, goal, isDense = false } = section;
  const padding = isDense ? '2px' : '2px 8px';
  const head = columns.map(
    ({ title, isNumber }) =>
      `<th scope="col" class="line soft" align="${isNumber ? 'right' : 'left'}" style="padding:${padding};border-bottom:2px solid #d8dce5;font-size:${isDense ? 11 : 13}px;${SOFT}">${escapeHtml(title)}</th>`,
  );
  const row = (cells: readonly ShownCell[], weight: string): string =>
    `<tr>${cells.map((cell, index) => cellHtml(cell, columns[index]?.isNumber === true, { weight, padding })).join('')}</tr>`;
  const none = `<tr><td class="soft" colspan="${columns.length}" style="padding:6px 8px;${SOFT}">${escapeHtml(empty)}</td></tr>`;
  return `${heading}
<p class="soft" style="margin:0 0 4px;font-size:13px;${SOFT}">${escapeHtml([range, goal].filter(Boolean).join(' · '))}</p>
<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;font-size:${isDense ? 11 : 14}px;line-height:1.25">
<thead><tr>${head.join('')}</tr></thead>
<tbody>${rows.length === 0 ? none : rows.map((cells) => row(cells, '400')).join('\n')}
${total ? row(total, '700') : ''}</tbody></table>${left > 0 ? `\n<p class="soft" style="margin:4px 0 0;font-size:13px;${SOFT}">And ${moreRows(left)}, in the attached table and on the page.</p>` : ''}`;
}

/** A heading or a text of a board; only addresses of web pages become links. */
function wordsHtml({ kind, words }: WordsSection): string {
  if (kind === 'heading')
    return `<h2 dir="auto" style="margin:32px 0 0;${WRAPS};font-size:20px;line-height:1.3">${escapeHtml(words)}</h2>`;
  const pieces = textPieces(words).map(({ text, href }) => {
    const shown = escapeHtml(text).replaceAll(/\r?\n/g, '<br>');
    return href === undefined ? shown : `<a class="link" href="${escapeHtml(href)}" style="color:#4338ca">${shown}</a>`;
  });
  return `<p dir="auto" style="margin:16px 0 0;${WRAPS}">${pieces.join('')}</p>`;
}

interface CellStyle {
  readonly weight: string;
  readonly padding: string;
}

function cellHtml({ text, bar, shade }: ShownCell, isNumber: boolean, { weight, padding }: CellStyle): string {
  const drawn =
    bar === undefined
      ? ''
      : `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin-top:1px"><tr><td align="right"><table role="presentation" width="${Math.max(1, Math.round(100 * bar))}%" cellpadding="0" cellspacing="0"><tr><td class="bar" height="4" style="background:#4338ca;border-radius:2px;font-size:0;line-height:4px">&nbsp;</td></tr></table></td></tr></table>`;
  const align = isNumber ? 'right' : 'left';
  return `<td dir="auto" class="line" align="${align}" valign="top"${shade === undefined ? '' : shadedBy(shade)} style="padding:${padding};border-bottom:1px solid #d8dce5;font-weight:${weight};font-variant-numeric:tabular-nums${shade === undefined ? '' : ';color:#1b1f2a'}">${escapeHtml(text)}${drawn}</td>`;
}

/** The colour of a cell of a heat map, as an attribute, which every mail program reads: from white to a light violet. */
function shadedBy(shade: number): string {
  const mixed = [67, 56, 202].map((full) => Math.round(255 - 0.55 * shade * (255 - full)));
  return ` bgcolor="#${mixed.map((each) => each.toString(16).padStart(2, '0')).join('')}"`;
}

const ABREAST = 2; // numbers in a line, so that they fit a telephone

function numbersHtml({ numbers }: NumbersSection): string {
  const cells = numbers.map(
    ({ label, value, change, why = [], ranges, goal }) =>
      `<td class="line" width="50%" valign="top" style="padding:6px 8px;border-bottom:1px solid #d8dce5"><div dir="auto" class="soft" style="font-size:13px;${WRAPS};${SOFT}">${escapeHtml(label)}</div>${ranges === undefined ? '' : `<div class="soft" style="font-size:13px;${WRAPS};${SOFT}">${escapeHtml(ranges)}</div>`}<div style="font-size:24px;font-weight:700;line-height:1.3">${escapeHtml(value)}</div>${change ? `<div class="${VERDICTS[change.verdict] === SOFT ? 'soft' : change.verdict}" style="font-size:13px;${VERDICTS[change.verdict]}">${escapeHtml(change.text)}</div>` : ''}${[...why, ...(goal ? [goal] : [])].map((line) => `<div dir="auto" class="soft" style="font-size:13px;${WRAPS};${SOFT}">${escapeHtml(line)}</div>`).join('')}</td>`,
  );
  const lines = Array.from({ length: Math.ceil(cells.length / ABREAST) }, (_, line) =>
    cells.slice(line * ABREAST, (line + 1) * ABREAST),
  );
  const rows = lines.map((line) => `<tr>${line.join('')}${line.length < ABREAST ? '<td width="50%"></td>' : ''}</tr>`);
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin-top:12px">${rows.join('\n')}</table>`;
}

/** The sentence with the way out, as HTML. */
export const wayOutHtml = (href: string, label: string): string =>
  ` <a class="link" href="${escapeHtml(href)}" style="color:#4338ca">${escapeHtml(label)}</a>`;
