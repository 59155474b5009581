import { normalizeLocale } from '../access/locales.ts';

/** The locale that an `Accept-Language` header asks for; `any`: no filter; `none`: only locales that the site lacks. */
export type WantedLocale = { readonly locale: string } | 'any' | 'none';

interface Range {
  readonly tag: string; // a normalised locale, or `*`
  readonly quality: number; // 0…1
}

const RANGE = /^(\*|[A-Za-z0-9_-]+)(?:\s*;\s*q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?))?$/i;

/**
 * Picks the best of the site's locales for an `Accept-Language` header (RFC 9110, 12.5.4; docs/interface.md). Ranges go
 * by quality; for each, the exact locale comes before one of the same language; `q=0` excludes. Malformed ranges are
 * ignored.
 */
export function wantedLocale(header: string | undefined, locales: readonly string[]): WantedLocale {
  const ranges = parseRanges(header ?? '');
  if (ranges.length === 0) return 'any';
  const refused = ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag);
  const asked = ranges.filter(({ quality }) => quality > 0);
  const named = new Set(asked.map(({ tag }) => tag));
  const open = locales.filter((locale) => named.has(locale) || !refused.some((tag) => covers(tag, locale)));
  for (const { tag } of asked) {
    if (tag === '*') return 'any';
    const locale = bestOf(tag, open);
    if (locale !== undefined) return { locale };
  }
  return 'none';
}

/** The ranges by falling quality, equal ones in the order of the header. */
function parseRanges(header: string): Range[] {
  const ranges = header.split(',').flatMap((part): Range[] => {
    const [, text, quality] = RANGE.exec(part.trim()) ?? [];
    const tag = text === '*' ? text : normalizeLocale(text ?? '');
    return tag === undefined ? [] : [{ tag, quality: quality === undefined ? 1 : Number(quality) }];
  });
  return ranges.sort((a, b) => b.quality - a.quality);
}

/**
 * Whether a refused range excludes the locale: `en` excludes `en_us`, but `en_us` does not exclude `en`; `*` excludes
 * none.
 */
const covers = (tag: string, locale: string): boolean => locale === tag || locale.startsWith(`${tag}_`);

function bestOf(tag: string, locales: readonly string[]): string | undefined {
  const language = languageOf(tag);
  const exact = locales.find((locale) => locale === tag);
  return (
    exact ?? locales.find((locale) => locale === language) ?? locales.find((locale) => languageOf(locale) === language)
  );
}

const languageOf = (locale: string): string => locale.split('_')[0] ?? locale;
