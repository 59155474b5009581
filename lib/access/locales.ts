const LOCALE = /^[a-z]{2,8}(_[a-z0-9]{1,8})*$/;

/** `en-US`, `en_us`, `EN_US` → `en_us` (docs/interface.md); undefined if the text is not a language code. */
export function normalizeLocale(text: string): string | undefined {
  const locale = text.trim().toLowerCase().replaceAll('-', '_');
  return LOCALE.test(locale) ? locale : undefined;
}

/** `en_us` → `en-US`, as HTTP headers show languages. */
export function languageTag(locale: string): string {
  return locale
    .split('_')
    .map((part, index) => (index > 0 && part.length === 2 ? part.toUpperCase() : part))
    .join('-');
}

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const UNKNOWN_REGION = 'zz'; // CLDR's code for an unknown region

/** The normalized locale that a text names; undefined if its language or region does not exist, as in `xx_yy`. */
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
