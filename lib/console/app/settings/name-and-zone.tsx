import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Form } from '../edit/form.ts';
import { TextField } from '../ui/fields.tsx';

interface NamedPlace {
  readonly name: string;
  readonly time_zone: string;
}

interface NameAndZoneProps {
  readonly form: Form<NamedPlace>;
  readonly hint: string; // to the zone
}

/** The name and the time zone of a site or a calendar; zones are suggested. */
export function NameAndZone({ form, hint }: NameAndZoneProps): JSX.Element {
  const zones = useId();
  return (
    <>
      <TextField {...form.text('name')} />
      <TextField {...form.text('time_zone')} hint={hint} input={{ list: zones, spellcheck: false }} />
      <datalist id={zones}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
