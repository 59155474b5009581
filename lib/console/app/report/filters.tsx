import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { conditionText } from '../../model/names.ts';
import type { Condition, ReportState } from '../../model/report/report-state.ts';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { Check, Choice, TextField } from '../ui/fields.tsx';
import { Button, PickList, Popover } from '../ui/ui.tsx';
import { Chip } from './chip.tsx';

interface FiltersProps {
  readonly state: Pick<ReportState, 'filters'>;
  readonly onChange: (change: Pick<ReportState, 'filters'>) => void;
}

/** The filters of a report or a board as words, with a form to add one. */
export function Filters({ state: { filters }, onChange }: FiltersProps): JSX.Element {
  const { names } = useApp();
  const without = (group: number, condition: number): void => {
    const left = filters.map((each, position) =>
      position === group ? each.filter((_, other) => other !== condition) : each,
    );
    onChange({ filters: left.filter((each) => each.length > 0) });
  };
  const add = (condition: Condition, alternative: boolean): void => {
    const last = filters.at(-1);
    onChange({
      filters: alternative || !last ? [...filters, [condition]] : [...filters.slice(0, -1), [...last, condition]],
    });
  };
  return (
    <>
      {filters.length > 0 && <span class="word">{text.report.where}</span>}
      {filters.map((group, position) => (
        <span class="group" key={JSON.stringify(group)}>
          {position > 0 && <span class="word">{text.report.or}</span>}
          {group.map((condition, index) => (
            <Chip
              key={JSON.stringify(condition)}
              label={conditionText(names, condition)}
              onRemove={() => without(position, index)}
            />
          ))}
        </span>
      ))}
      <Popover label={`+ ${text.report.addFilter}`} name={text.report.addFilter} kind="chip add">
        {(close) => (
          <FilterForm
            more={filters.length > 0}
            onAdd={(condition, alternative) => {
              add(condition, alternative);
              close();
            }}
          />
        )}
      </Popover>
    </>
  );
}

interface FilterFormProps {
  readonly more: boolean; // whether the report has filters already
  readonly onAdd: (condition: Condition, alternative: boolean) => void;
}

function FilterForm({ more, onAdd }: FilterFormProps): JSX.Element {
  const { definitions, names } = useApp();
  const [object, setObject] = useState(definitions?.filter_objects[0]?.name ?? '');
  const [action, setAction] = useState<Condition['action']>('Include');
  const [ids, setIds] = useState<readonly string[]>([]);
  const [part, setPart] = useState('');
  const [alternative, setAlternative] = useState(false);
  const toggle = (id: string): void => setIds(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]);
  return (
    <div class="filter-form">
      <Choice
        label={text.filter.label}
        options={(definitions?.filter_objects ?? []).map(({ name }) => [name, names.filter(name)] as const)}
        value={object}
        onChange={(chosen) => {
          setObject(chosen);
          setIds([]);
        }}
      />
      <fieldset class="segments">
        <legend class="hidden">{text.filter.label}</legend>
        {(['Include', 'Exclude'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={action === each} onClick={() => setAction(each)}>
            {each === 'Include' ? text.filter.include : text.filter.exclude}
          </button>
        ))}
      </fieldset>
      <PickList
        label={text.filter.value}
        options={names.members(names.dimensionOf(object))}
        chosen={ids}
        onPick={toggle}
      />
      <TextField label={text.filter.textLabel} value={part} onInput={setPart} />
      {more && <Check label={text.filter.alternative} checked={alternative} onChange={setAlternative} />}
      <Button
        kind="primary"
        disabled={ids.length === 0 && part === ''}
        onClick={() => onAdd({ action, object, ids: part === '' ? ids : [], text: part }, alternative)}
      >
        {text.filter.apply}
      </Button>
    </div>
  );
}
