import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { fieldOptions, unitOf } from '../../model/fields.ts';
import { dimensionOfObject } from '../../model/names.ts';
import { COMPARISONS, type Condition, type ReportState, WINDOW_SIZES } from '../../model/report-state.ts';
import { fieldLabel, text } from '../../model/text.ts';
import { useApp } from '../context.tsx';
import { PeriodPicker } from '../period-picker.tsx';
import { Button, Field, PickList, Popover } from '../ui.tsx';

interface SentenceProps {
  readonly state: ReportState;
  readonly onChange: (change: Partial<ReportState>) => void;
}

/** The report as a sentence whose words are controls. */
export function Sentence({ state, onChange }: SentenceProps): JSX.Element {
  return (
    <section class="sentence card" aria-label={text.report.title}>
      <Fields state={state} onChange={onChange} />
      <Dimensions state={state} onChange={onChange} />
      <span class="word">{text.report.per}</span>
      <Popover
        label={state.per === 'none' ? text.report.none : text.report.window(state.per)}
        name={`${text.report.per} ${state.per === 'none' ? text.report.none : text.report.window(state.per)}`}
        kind="chip"
      >
        {(close) => (
          <PickList
            label={text.report.per}
            options={WINDOW_SIZES.map((size) => ({
              id: size,
              name: size === 'none' ? text.report.none : text.report.window(size),
            }))}
            chosen={[state.per]}
            onPick={(id) => {
              onChange({ per: WINDOW_SIZES.find((size) => size === id) ?? 'none' });
              close();
            }}
          />
        )}
      </Popover>
      <span class="word">{text.report.during}</span>
      <PeriodPicker period={state.period} zone={state.zone} onChange={(period, zone) => onChange({ period, zone })} />
      <ComparePicker state={state} onChange={onChange} />
      <HoursPicker state={state} onChange={onChange} />
      <Filters state={state} onChange={onChange} />
    </section>
  );
}

interface ChipProps {
  readonly label: string;
  readonly onRemove: (() => void) | undefined; // undefined if it cannot be removed
  readonly children?: ComponentChildren;
}

/** A word of the sentence, with a button to remove it. */
const Chip = ({ label, onRemove, children }: ChipProps): JSX.Element => (
  <span class="chip">
    {children ?? <span dir="auto">{label}</span>}
    {onRemove && (
      <button type="button" class="remove" aria-label={text.report.remove(label)} onClick={onRemove}>
        ×
      </button>
    )}
  </span>
);

function Fields({ state: { fields }, onChange }: SentenceProps): JSX.Element {
  const { definitions } = useApp();
  const toggle = (id: string): void => {
    const left = fields.filter((name) => name !== id);
    if (left.length === fields.length) onChange({ fields: [...fields, id] });
    else if (left.length > 0) onChange({ fields: left, chartField: 0 });
  };
  return (
    <>
      <span class="word">{text.report.show}</span>
      {fields.map((name) => (
        <Chip key={name} label={fieldLabel(name)} onRemove={fields.length > 1 ? () => toggle(name) : undefined} />
      ))}
      <Popover label="+" name={text.report.addField} kind="chip add">
        {() => (
          <PickList
            label={text.report.addField}
            options={definitions ? fieldOptions(definitions) : []}
            chosen={fields}
            onPick={toggle}
          />
        )}
      </Popover>
    </>
  );
}

function Dimensions({ state, onChange }: SentenceProps): JSX.Element {
  const { by, and } = state;
  const remove = (): void =>
    onChange({ by: and, byValues: state.andValues, and: null, andValues: [], chart: null, sort: null });
  return (
    <>
      <span class="word">{text.report.by}</span>
      {by !== null && (
        <DimensionChip
          dimension={by}
          values={state.byValues}
          onValues={(byValues) => onChange({ byValues })}
          onRemove={remove}
        />
      )}
      {and !== null && <span class="word">{text.report.and}</span>}
      {and !== null && (
        <DimensionChip
          dimension={and}
          values={state.andValues}
          onValues={(andValues) => onChange({ andValues })}
          onRemove={() => onChange({ and: null, andValues: [], chart: null, sort: null })}
        />
      )}
      {and === null && <AddDimension state={state} onChange={onChange} />}
    </>
  );
}

function AddDimension({ state: { by, fields }, onChange }: SentenceProps): JSX.Element {
  const { definitions, names } = useApp();
  const options = names.dimensions(definitions).filter(({ id }) => id !== by);
  const added = { chart: null, sort: null, chartField: 0 };
  return (
    <Popover
      label={by === null ? text.report.addBy : '+'}
      name={`${text.report.addBy} (${fieldLabel(fields[0] ?? '')})`}
      kind="chip add"
    >
      {(close) => (
        <PickList
          label={text.report.addBy}
          options={options}
          chosen={[]}
          onPick={(id) => {
            onChange(by === null ? { by: id, byValues: [], ...added } : { and: id, andValues: [], ...added });
            close();
          }}
        />
      )}
    </Popover>
  );
}

interface DimensionChipProps {
  readonly dimension: string;
  readonly values: readonly string[];
  readonly onValues: (values: readonly string[]) => void;
  readonly onRemove: () => void;
}

function DimensionChip({ dimension, values, onValues, onRemove }: DimensionChipProps): JSX.Element {
  const { names } = useApp();
  const label = names.label(dimension);
  const only =
    values.length > 3
      ? text.filter.anyOf(values.length)
      : text.listAnd(values.map((value) => names.of(dimension, value)));
  const shown = values.length === 0 ? label : `${label}: ${only}`;
  const toggle = (id: string): void =>
    onValues(values.includes(id) ? values.filter((each) => each !== id) : [...values, id]);
  return (
    <Chip label={label} onRemove={onRemove}>
      <Popover label={<span dir="auto">{shown}</span>} name={shown} kind="inner">
        {() => (
          <>
            <Button kind="quiet" onClick={() => onValues([])} disabled={values.length === 0}>
              {text.report.all}
            </Button>
            <PickList label={label} options={names.members(dimension)} chosen={values} onPick={toggle} />
          </>
        )}
      </Popover>
    </Chip>
  );
}

function ComparePicker({ state: { compare }, onChange }: SentenceProps): JSX.Element {
  const label = { previous_period: text.report.comparePrevious, previous_year: text.report.compareYear };
  return (
    <label class="inline">
      <span class="hidden">{text.report.compare}</span>
      <select
        class="input chip"
        value={compare ?? ''}
        onChange={(event) =>
          onChange({ compare: COMPARISONS.find((each) => each === event.currentTarget.value) ?? null, sort: null })
        }
      >
        <option value="">{text.report.compareNone}</option>
        {COMPARISONS.map((each) => (
          <option key={each} value={each}>
            {label[each]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A choice of the hours in which durations are measured, if the report has durations. */
function HoursPicker({ state: { fields, hours }, onChange }: SentenceProps): JSX.Element | null {
  const { definitions } = useApp();
  if (hours === null && !fields.some((field) => unitOf(definitions, field) === 'seconds')) return null;
  return (
    <label class="inline">
      <span class="hidden">{text.report.measuredIn}</span>
      <select
        class="input chip"
        value={hours ?? ''}
        onChange={(event) => onChange({ hours: event.currentTarget.value === 'business' ? 'business' : null })}
      >
        <option value="">{text.report.hoursCalendar}</option>
        <option value="business">{text.report.hoursBusiness}</option>
      </select>
    </label>
  );
}

function Filters({ state: { filters }, onChange }: SentenceProps): JSX.Element {
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
            <FilterChip
              key={JSON.stringify(condition)}
              condition={condition}
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

function FilterChip({
  condition,
  onRemove,
}: {
  readonly condition: Condition;
  readonly onRemove: () => void;
}): JSX.Element {
  const { names } = useApp();
  const { action, object, ids, text: part } = condition;
  const dimension = dimensionOfObject(object);
  const verb = action === 'Include' ? text.filter.include : text.filter.exclude;
  const what =
    part === '' ? text.listAnd(ids.map((id) => names.of(dimension, id))) : `${text.filter.contains} “${part}”`;
  return <Chip label={text.filter.describe(text.filter.objects[object] ?? object, verb, what)} onRemove={onRemove} />;
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
      <Field label={text.filter.label}>
        {(attributes) => (
          <select
            {...attributes}
            class="input"
            value={object}
            onChange={(event) => {
              setObject(event.currentTarget.value);
              setIds([]);
            }}
          >
            {(definitions?.filter_objects ?? []).map(({ name: each }) => (
              <option key={each} value={each}>
                {text.filter.objects[each] ?? each}
              </option>
            ))}
          </select>
        )}
      </Field>
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
        options={names.members(dimensionOfObject(object))}
        chosen={ids}
        onPick={toggle}
      />
      <Field label={text.filter.textLabel}>
        {(attributes) => (
          <input {...attributes} class="input" value={part} onInput={(event) => setPart(event.currentTarget.value)} />
        )}
      </Field>
      {more && (
        <label class="check">
          <input
            type="checkbox"
            checked={alternative}
            onChange={(event) => setAlternative(event.currentTarget.checked)}
          />{' '}
          {text.filter.alternative}
        </label>
      )}
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
