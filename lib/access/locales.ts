const LOCALE = /^[a-z]{2,8}(_[a-z0-9]{1,8})*$/;

/** `en-US`, `en_us`, `EN_US` → `en_us` (contract.md, Topics); undefined for what is no language code. */
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
