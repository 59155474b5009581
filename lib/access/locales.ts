const LOCALE = /^[a-z]{2,8}(_[a-z0-9]{1,8})*$/;

/** `en-US`, `en_us`, `EN_US` → `en_us` (docs/interface.md); undefined for what is no language code. */
export function normalizeLocale(text: string): string | undefined {
  const locale = text.trim().toLowerCase().replaceAll('-', '_');
  return LOCALE.test(locale) ? locale : undefined;
}

/** `en_us` → `en-US`, as HTTP headers show languages. */
export function languageTag(locale: string): string {
  return locale
    .split('_')
    .map((part, place) => (place > 0 && part.length === 2 ? part.toUpperCase() : part))
    .join('-');
}

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const UNKNOWN_REGION = 'zz'; // CLDR's word for no region

/** The locale that a text names, as `normalizeLocale` returns it, if its language and region exist: `xx_yy` is none. */
export function knownLocale(text: string): string | undefined {
  const locale = normalizeLocale(text);
  const tag = locale === undefined ? undefined : parseTag(locale);
  if (tag === undefined || languages.of(tag.language) === undefined) return undefined;
  if (tag.region?.toLowerCase() === UNKNOWN_REGION) return undefined;
  return tag.region === undefined || regions.of(tag.region) !== undefined ? locale : undefined;
}

function parseTag(locale: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(locale.replaceAll('_', '-'));
  } catch {
    return undefined;
  }
}
