const MARGIN = 24; // px around the chart
const HEAD = 56; // px for the title and what it is of
const SHARP = 2; // dots of a PNG for each px
const NAMESPACE = 'http://www.w3.org/2000/svg';

/** What an element of a drawing shows, which the style sheet says and a picture must say itself. */
const DRAWN = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin'],
  ...['opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'font-variant-numeric'],
];

/** A chart as an SVG that stands alone: what the page shows of it, below its title. Sizes in px. */
export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Draws the chart in an element as it stands on the page, in its colours. */
export function pictureOf(chart: Element, title: string, about: string): Picture {
  const { left, top, right, bottom } = chart.getBoundingClientRect();
  const area = { left, top, right, bottom };
  const parts = partsOf(chart, area);
  const width = Math.ceil(area.right - left) + 2 * MARGIN;
  const height = Math.ceil(area.bottom - top) + HEAD + 2 * MARGIN;
  const style = getComputedStyle(chart);
  const font = `font-family="${escaped(style.fontFamily)}" fill="${style.color}"`;
  const paper = getComputedStyle(chart.closest('.card') ?? document.body).backgroundColor;
  const svg = [
    `<svg xmlns="${NAMESPACE}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${paper}"/>`,
    `<text x="${MARGIN}" y="${MARGIN + 14}" ${font} font-size="18" font-weight="650">${escaped(title)}</text>`,
    `<text x="${MARGIN}" y="${MARGIN + 36}" ${font} font-size="13">${escaped(about)}</text>`,
    `<g transform="translate(${MARGIN - left} ${MARGIN + HEAD - top})">`,
    ...parts,
    '</g></svg>',
  ].join('\n');
  return { svg: svg.replace(MIXED, plainColor), width, height };
}

/** A colour that CSS mixed, which only browsers can read: `color(srgb 0.5 0.25 1)`. */
const MIXED = /color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)[^)]*\)/g;
const plainColor = (_: string, ...parts: readonly string[]): string =>
  `rgb(${parts.slice(0, 3).map((part) => Math.round(Number(part) * 255))})`;

/** Turns a picture into a PNG. */
export async function pngOf({ svg, width, height }: Picture): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * SHARP;
  canvas.height = height * SHARP;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser makes no PNG'))), 'image/png');
  });
}

interface Area {
  readonly left: number;
  readonly top: number;
  right: number; // grows with what scrolls
  bottom: number;
}

/** Draws an element and all in it, at their places on the page. */
function partsOf(element: Element, area: Area): string[] {
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const isSeen = style.display !== 'none' && style.visibility === 'visible' && box.width > 1 && box.height > 1;
  if (!isSeen || element.matches('label, .tip')) return [];
  area.right = Math.max(area.right, box.right);
  area.bottom = Math.max(area.bottom, box.bottom);
  if (element instanceof SVGSVGElement) return [drawing(element, box)];
  const parts = isTransparent(style.backgroundColor) ? [] : [filled(box, style)];
  for (const child of element.childNodes) {
    if (child instanceof Element) parts.push(...partsOf(child, area));
    else if (child instanceof Text) parts.push(...linesOf(child, style));
  }
  return parts;
}

const isTransparent = (color: string): boolean => color === 'transparent' || /^rgba\(.*, 0\)$/.test(color);

const filled = ({ x, y, width, height }: DOMRect, { backgroundColor, borderRadius }: CSSStyleDeclaration): string => {
  const radius = Math.min(Number.parseFloat(borderRadius) || 0, height / 2);
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${backgroundColor}"/>`;
};

/** A text, where the page breaks it into lines in each of them. */
function linesOf(node: Text, style: CSSStyleDeclaration): string[] {
  const range = document.createRange();
  const lines: { text: string; box: DOMRect }[] = [];
  for (const { index, 0: word } of node.data.matchAll(/\S+\s*/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.trimEnd().length);
    const box = range.getBoundingClientRect();
    const last = lines.at(-1);
    if (last && Math.abs(last.box.y - box.y) < 2) last.text += word;
    else lines.push({ text: word, box });
  }
  const { color, fontFamily, fontSize, fontWeight } = style;
  const font = `font-family="${escaped(fontFamily)}" font-size="${fontSize}" font-weight="${fontWeight}"`;
  return lines.map(({ text, box: { x, y, height } }) => {
    const base = y + height * 0.78; // about where letters stand in their line
    return `<text x="${x}" y="${base}" fill="${color}" ${font}>${escaped(text.trimEnd())}</text>`;
  });
}

/** A drawing with the styles of each of its parts written into it. */
function drawing(svg: SVGSVGElement, { x, y, width, height }: DOMRect): string {
  const copy = svg.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error('a copy of a drawing is none');
  const own = [...svg.querySelectorAll('*')];
  for (const [nth, part] of [...copy.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(own[nth] ?? svg);
    for (const name of DRAWN) part.setAttribute(name, style.getPropertyValue(name));
    part.removeAttribute('class');
  }
  copy.removeAttribute('class');
  for (const [name, value] of Object.entries({ x, y, width, height })) copy.setAttribute(name, String(value));
  return new XMLSerializer().serializeToString(copy);
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;');
