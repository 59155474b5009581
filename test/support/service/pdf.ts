import { inflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** A page as it is printed: the sizes of its sheets, in points, and the text on them, in the order in which it is drawn. */
interface Printed {
  readonly pages: readonly (readonly [width: number, height: number])[];
  readonly text: string;
}

/** Prints a page to PDF and reads it: only as much of the format as Chromium writes (Skia's PDF, without object streams). */
export async function pdfOf(page: Page, format: 'A4' | 'Letter'): Promise<Printed> {
  return readPdf(await page.pdf({ format, printBackground: true }));
}

const OBJECT = /(?:^|\n)(\d+) 0 obj\s([\s\S]*?)\nendobj/g;

function readPdf(bytes: Buffer): Printed {
  const objects = new Map([...bytes.toString('latin1').matchAll(OBJECT)].map(([, id = '', body = '']) => [id, body]));
  const object = (ref: string | undefined): string => objects.get(ref ?? '') ?? '';
  const streamOf = (ref: string | undefined): string => {
    const body = object(ref);
    const at = /stream\r?\n/.exec(body);
    if (at === null) return '';
    const raw = Buffer.from(body.slice(at.index + at[0].length, body.lastIndexOf('endstream')), 'latin1');
    return (body.includes('/FlateDecode') ? inflateSync(raw) : raw).toString('latin1');
  };
  const pages: [number, number][] = [];
  let text = '';
  for (const body of objects.values()) {
    if (!/\/Type\s*\/Page\b(?!s)/.test(body)) continue;
    const [, , , width = 0, height = 0] = (/\/MediaBox\s*\[(\S+) (\S+) (\S+) (\S+)\]/.exec(body) ?? []).map(Number);
    pages.push([width, height]);
    const [, resources] = /\/Resources\s+(\d+) 0 R/.exec(body) ?? [];
    const held = resources === undefined ? body : object(resources);
    const [, fontsRef] = /\/Font\s+(\d+) 0 R/.exec(held) ?? [];
    const fontList = fontsRef === undefined ? (/\/Font\s*<<([\s\S]*?)>>/.exec(held)?.[1] ?? '') : object(fontsRef);
    const fonts = new Map(
      [...fontList.matchAll(/\/(\w+)\s+(\d+) 0 R/g)].map(([, name = '', ref]) => [
        name,
        unicodeOf(streamOf(/\/ToUnicode\s+(\d+) 0 R/.exec(object(ref))?.[1])),
      ]),
    );
    for (const [, ref] of (/\/Contents\s*(\[[^\]]*\]|\d+ 0 R)/.exec(body)?.[1] ?? '').matchAll(/(\d+) 0 R/g))
      text += textOf(streamOf(ref), fonts);
  }
  return { pages, text };
}

/** What the glyphs of a font mean, by their hexadecimal ids. */
function unicodeOf(map: string): ReadonlyMap<string, string> {
  const meanings = new Map<string, string>();
  const letters = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le');
  for (const [, part = ''] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph = '', hex = ''] of part.matchAll(/<(\w+)>\s*<(\w+)>/g)) meanings.set(glyph, letters(hex));
  for (const [, part = ''] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from = '', to = '', hex = ''] of part.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g))
      for (let glyph = Number.parseInt(from, 16); glyph <= Number.parseInt(to, 16); glyph += 1) {
        const code = Number.parseInt(hex, 16) + glyph - Number.parseInt(from, 16);
        meanings.set(glyph.toString(16).padStart(from.length, '0').toUpperCase(), String.fromCodePoint(code));
      }
  return meanings;
}

/** The text of a content stream; a blank stands where the pen moves. */
function textOf(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  let font: ReadonlyMap<string, string> = new Map();
  let text = '';
  for (const [token, name, hex] of content.matchAll(/\/(\w+)\s+\S+\s+Tf|<([0-9A-Fa-f]+)>|\bET\b/g)) {
    if (name !== undefined) font = fonts.get(name) ?? new Map();
    else if (hex !== undefined)
      text += (hex.match(/.{4}/g) ?? []).map((glyph) => font.get(glyph.toUpperCase()) ?? '').join('');
    else if (token === 'ET') text += ' ';
  }
  return text;
}
