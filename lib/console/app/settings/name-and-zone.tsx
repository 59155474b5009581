import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { text } from '../../model/text.ts';
import { TextField } from '../fields.tsx';

const words = text.settings;

interface NamedPlace {
  readonly name: string;
  readonly time_zone: string;
}

interface NameAndZoneProps {
  readonly fields: NamedPlace;
  readonly hint: string; // to the zone
  readonly error: unknown;
  readonly onChange: (part: Partial<NamedPlace>) => void;
}

/** The name and the time zone of a site or a calendar; zones are suggested. */
export function NameAndZone({ fields, hint, error, onChange }: NameAndZoneProps): JSX.Element {
  const zones = useId();
  return (
    <>
      <TextField
        label={words.name}
        name="name"
        error={error}
        value={fields.name}
        onInput={(name) => onChange({ name })}
      />
      <TextField
        label={words.zone}
        hint={hint}
        name="time_zone"
        error={error}
        value={fields.time_zone}
        onInput={(time_zone) => onChange({ time_zone })}
        input={{ list: zones, spellcheck: false }}
      />
      <datalist id={zones}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
