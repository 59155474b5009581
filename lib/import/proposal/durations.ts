import { type DurationUnit, durationSeconds } from '../mapping/durations.ts';

const UNITS: readonly (readonly [unit: DurationUnit, name: RegExp])[] = [
  [
    'seconds',
    /\b(sec|secs|seconds?|sek|sekunden?|secondes?|segundos?|secondi|seconden|sekund|sekundy|sekunder|saniye)\b|сек|秒|초/iu,
  ],
  [
    'minutes',
    /\b(min|mins|minutes?|minuten|minutos?|minuti|minuty|minut|minuter|minutach|minutah|dakika|dk)\b|мин|分|분/iu,
  ],
  [
    'hours',
    /\b(h|hr|hrs|hours?|std|stunden|heures?|horas?|ore|uren|uur|godz|godziny|timmar|tim|hod|hodiny|saat)\b|час|小时|小時/iu,
  ],
  ['days', /\b(days?|tage|jours?|dias?|días?|giorni|dagen|dni|dagar|dní|gün)\b|дн[иея]|天|日数|일수/iu],
];

/** Returns the unit that a column's name says; a unit in brackets counts first. */
function unitOfName(header: string): DurationUnit | undefined {
  const name = header.normalize('NFKC').replaceAll('_', ' ');
  const bracket = /[([]([^)\]]*)[)\]]\s*$/u.exec(name)?.[1];
  const inside = bracket === undefined ? undefined : UNITS.find(([, words]) => words.test(bracket))?.[0];
  if (inside !== undefined) return inside;
  if (bracket !== undefined && /^(時間|시간)$/u.test(bracket.trim())) return 'hours';
  return UNITS.find(([, words]) => words.test(name.replaceAll(/[([][^)\]]*[)\]]/gu, ' ')))?.[0];
}

/** Returns how texts write durations: by themselves, else by the column's name. Undefined if nothing says the unit. */
export function durationUnit(header: string, texts: readonly string[]): DurationUnit | undefined {
  if (texts.length === 0) return undefined;
  const named = unitOfName(header);
  return (['clock', 'words', named] as const).find(
    (unit) => unit !== undefined && texts.every((text) => durationSeconds(text, unit) !== undefined),
  );
}
