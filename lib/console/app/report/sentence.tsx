import type { JSX } from 'preact';
import { fieldOptions, unitOf } from '../../model/fields.ts';
import { COMPARISONS, type ReportState, WINDOW_SIZES } from '../../model/report/report-state.ts';
import { text } from '../../model/text/text.ts';
import { About } from '../about.tsx';
import { useApp } from '../context.tsx';
import { PeriodPicker } from '../ui/period-picker.tsx';
import { Button, PickList, Popover } from '../ui/ui.tsx';
import { Chip } from './chip.tsx';
import { Filters } from './filters.tsx';

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

function Fields({ state: { fields }, onChange }: SentenceProps): JSX.Element {
  const { names, definitions } = useApp();
  const toggle = (id: string): void => {
    const left = fields.filter((name) => name !== id);
    if (left.length === fields.length) onChange({ fields: [...fields, id] });
    else if (left.length > 0) onChange({ fields: left, chartField: 0 });
  };
  return (
    <>
      <span class="word">{text.report.show}</span>
      {fields.map((name) => (
        <Chip key={name} label={names.field(name)} onRemove={fields.length > 1 ? () => toggle(name) : undefined}>
          <Popover label={names.field(name)} name={text.glossary.about(names.field(name))} kind="inner">
            {() => <About field={name} />}
          </Popover>
        </Chip>
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
  const { names } = useApp();
  const options = names.dimensions().filter(({ id }) => id !== by);
  const added = { chart: null, sort: null, chartField: 0 };
  return (
    <Popover
      label={by === null ? text.report.addBy : '+'}
      name={`${text.report.addBy} (${names.field(fields[0] ?? '')})`}
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
