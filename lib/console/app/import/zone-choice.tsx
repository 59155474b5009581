import type { JSX } from 'preact';
import { importText } from '../../model/text/import-text.ts';
import { text } from '../../model/text/text.ts';
import { Choice } from '../ui/fields.tsx';

interface ZoneChoiceProps {
  readonly value: string; // empty: the site's
  readonly onChange: (zone: string) => void;
}

/** The zone of a file's times, of all time zones. */
export function ZoneChoice({ value, onChange }: ZoneChoiceProps): JSX.Element {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
  return (
    <Choice
      label={importText.zone}
      options={[['', text.period.siteZone, value !== ''], ...[...zones].map((zone) => [zone, zone] as const)]}
      value={value}
      onChange={onChange}
    />
  );
}
