import type { JSX } from 'preact';
import { text } from '../../model/text.ts';

interface ZoneInputProps {
  readonly attributes: { readonly id: string };
  readonly value: string; // empty: the site's
  readonly onChange: (zone: string) => void;
}

/** A list of all time zones. */
export function ZoneInput({ attributes, value, onChange }: ZoneInputProps): JSX.Element {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  return (
    <select {...attributes} class="input" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="" disabled={value !== ''}>
        {text.period.siteZone}
      </option>
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone}
        </option>
      ))}
    </select>
  );
}
