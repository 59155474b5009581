import type { JSX } from 'preact';
import { settingsText } from '../../model/text/settings-text.ts';
import { useApp } from '../context.tsx';
import { Check, fieldFault } from '../ui/fields.tsx';

interface ServedGroupsProps {
  readonly groups: readonly number[];
  readonly error: unknown;
  readonly onChange: (groups: readonly number[]) => void;
}

/** The groups whose cases go by a calendar. One that was deleted stays while it is ticked. */
export function ServedGroups({ groups, error, onChange }: ServedGroupsProps): JSX.Element | null {
  const { names } = useApp();
  const known = names.kind('groups').map(({ id }) => Number(id));
  const offered = [...known, ...groups.filter((id) => !known.includes(id))];
  const said = fieldFault(error, 'groups');
  if (offered.length === 0) return null;
  return (
    <fieldset class="week">
      <legend>{settingsText.week.groups}</legend>
      {said && <p class="fault">{said}</p>}
      {offered.map((id) => (
        <Check
          key={id}
          label={names.of('assigned_group', id)}
          checked={groups.includes(id)}
          onChange={(checked) => onChange(checked ? [...groups, id] : groups.filter((other) => other !== id))}
        />
      ))}
    </fieldset>
  );
}
