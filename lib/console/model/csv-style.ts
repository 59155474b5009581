import type { CsvStyle } from '../../csv.ts';

/** The style of CSV that spreadsheets of a language open: where the decimal sign is a comma, semicolons separate. */
const csvStyleOf = (locale?: string): CsvStyle =>
  new Intl.NumberFormat(locale).formatToParts(1.5).some(({ type, value }) => type === 'decimal' && value === ',')
    ? 'semicolon'
    : 'comma';

/** Both styles, that of the language first. */
export const csvStyles = (locale?: string): readonly [CsvStyle, CsvStyle] =>
  csvStyleOf(locale) === 'comma' ? ['comma', 'semicolon'] : ['semicolon', 'comma'];
