import DOMPurify from 'dompurify';

/** Begins the names under which styles and handlers stand while HTML is parsed: the page's policy refuses them, and says so. */
const ASIDE = 'data-article-';
const STYLE = `${ASIDE}style`;

const TAG = /<[a-z][^\s/>]*(?:[\s/]+[^\s/>=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*[\s/]*>/gi;
const ATTRIBUTE = /([\s/])([^\s/>=]+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))/g;

/** HTML whose styles and handlers stand aside. What is so malformed that it is not found here is cleaned all the same. */
const setAside = (html: string): string =>
  html.replace(TAG, (tag) =>
    tag.replace(ATTRIBUTE, (whole, space: string, name: string, value: string) =>
      /^(style|on\w+)$/i.test(name) ? `${space}${ASIDE}${name}${value}` : whole,
    ),
  );

const FORBID_TAGS = ['style', 'form', 'input', 'button', 'textarea', 'select'];

/** HTML without what could act in a page or ask the reader for something. Shown, pasted and loaded texts go through it. */
export function cleaned(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(setAside(html), { FORBID_TAGS, ADD_ATTR: ['target'], RETURN_DOM_FRAGMENT: true });
  for (const element of fragment.querySelectorAll('*'))
    for (const name of element.getAttributeNames()) if (name.startsWith(`${ASIDE}on`)) element.removeAttribute(name);
  for (const font of fragment.querySelectorAll('font, tt')) font.replaceWith(spanOf(font));
  parkStyles(fragment);
  return document.importNode(fragment, true);
}

const SIZES = ['', 'x-small', 'small', 'medium', 'large', 'x-large', 'xx-large', 'xxx-large'];

/** What has the same look as an element that HTML no longer has, `font` or `tt`. */
function spanOf(font: Element): HTMLElement {
  const span = document.createElement('span');
  for (const name of ['class', STYLE, 'title', 'lang', 'dir', 'id']) {
    const value = font.getAttribute(name);
    if (value !== null) span.setAttribute(name, value);
  }
  span.append(...font.childNodes);
  const color = font.getAttribute('color') ?? '';
  const size = font.getAttribute('size') ?? '';
  span.style.cssText = span.getAttribute(STYLE) ?? '';
  span.style.color ||= /^[\da-f]{6}$/i.test(color) ? `#${color}` : color;
  span.style.fontFamily ||= font.localName === 'tt' ? 'monospace' : (font.getAttribute('face') ?? '');
  span.style.fontSize ||= { '+': 'larger', '-': 'smaller' }[size.charAt(0)] ?? SIZES[Number(size)] ?? '';
  return span;
}

const sheet = new CSSStyleSheet();
const known = new Set<string>();

/** Puts the styles of elements aside, and shows them by a sheet of the page. */
export function parkStyles(within: ParentNode): void {
  for (const element of within.querySelectorAll('[style]')) {
    element.setAttribute(STYLE, element.getAttribute('style') ?? '');
    element.removeAttribute('style');
  }
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
  for (const element of within.querySelectorAll(`[${STYLE}]`)) {
    const style = element.getAttribute(STYLE) ?? '';
    if (known.has(style)) continue;
    known.add(style);
    const rule = sheet.cssRules[sheet.insertRule(`.paper [${STYLE}="${CSS.escape(style)}"] {}`)];
    if (rule instanceof CSSStyleRule) rule.style.cssText = style;
  }
}

/** The HTML of a text as it is stored, of that which is edited: without the lines that only hold a cursor. */
export const stored = (html: string): string =>
  html.replaceAll(` ${STYLE}="`, ' style="').replaceAll(/(<(?:hr|img)\b[^>]*>)<br><\/div>/g, '$1</div>');

/** Elements that the editor writes by another name, which means the same. */
const SAME: Readonly<Record<string, string>> = {
  strong: 'b',
  em: 'i',
  ins: 'u',
  strike: 's',
  font: 'span',
  tt: 'span',
};
const WITHOUT_NAME = new Set(['html', 'head', 'body', 'br']); // a line break may become two paragraphs
const AS_STYLE = new Set(['color', 'face', 'size']); // of `font`: said as one style

/** What of one HTML another lacks: elements and attributes by name, each once, as `<video>` and `<a ping>`. */
export function lostIn(before: string, after: string): string[] {
  const left = census(after);
  return [...census(before)].filter(([name, count]) => (left.get(name) ?? 0) < count).map(([name]) => name);
}

function census(html: string): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);
  const parsed = new DOMParser().parseFromString(setAside(html), 'text/html');
  const walker = parsed.createTreeWalker(parsed, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (!(node instanceof Element)) {
      add('<!-- -->');
      continue;
    }
    const name = SAME[node.localName] ?? node.localName;
    if (!WITHOUT_NAME.has(node.localName)) add(`<${name}>`);
    const said = node.getAttributeNames().map((each) => each.replace(ASIDE, ''));
    const isStyle = (each: string): boolean => node.localName === 'font' && AS_STYLE.has(each);
    for (const attribute of new Set(said.map((each) => (isStyle(each) ? 'style' : each))))
      add(`<${name} ${attribute}>`);
  }
  return counts;
}
