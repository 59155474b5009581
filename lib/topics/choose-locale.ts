import { normalizeLocale } from '../access/locales.ts';
import type { Site } from '../access/site-fields.ts';
import type { Faults } from '../errors.ts';

/** A translation whose locale is chosen, of a topic or an article. */
interface LocaleChoice {
  readonly site: Site;
  readonly before: string | undefined; // its present locale; undefined: it is created
  readonly isTaken: (locale: string) => boolean; // by another translation
}

/** The locale of a translation after a write: its present one, or one that is enabled and free; otherwise adds a fault. */
export function chooseLocale(sent: string, { site, before, isTaken }: LocaleChoice, faults: Faults): string {
  const locale = normalizeLocale(sent) ?? '';
  if (locale === before) return locale;
  if (!site.locales.includes(locale)) faults.explain('invalid', ['locale'], { sent, allowed: site.locales });
  else if (before === site.defaultLocale) {
    const message = 'The translation in the default locale keeps its locale.';
    faults.explain('invalid', ['locale'], { message });
  } else if (isTaken(locale)) faults.add('taken', 'locale');
  return locale;
}
