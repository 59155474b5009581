import type { JSX } from 'preact';
import { moved } from '../../model/board/board.ts';
import {
  CLOCKS,
  METRICS,
  overruled,
  shownFilters,
  type TypedTarget,
  targetFaults,
  toggled,
  toTarget,
  typedTarget,
  unitsFor,
} from '../../model/settings/promise.ts';
import { settingsText } from '../../model/text/settings-text.ts';
import { text } from '../../model/text/text.ts';
import { ApiError } from '../api.ts';
import { useApp } from '../context.tsx';
import { Editor } from '../edit/editor.tsx';
import { useResource } from '../edit/resource.ts';
import { Filters } from '../report/filters.tsx';
import { Choice, fieldFault, TextField } from '../ui/fields.tsx';
import { Reorder } from '../ui/reorder.tsx';
import { Button, Field } from '../ui/ui.tsx';
import { NeedsHours, type Policy, targetText, whomText } from './promise-words.tsx';

interface PolicyFields {
  readonly name: string;
  readonly filters: unknown;
  readonly targets: readonly TypedTarget[];
}

const words = settingsText.promises;
const PRIORITIES = Array.from({ length: 10 }, (_, nth) => nth + 1);

const LABELS = { name: settingsText.name, filters: words.whom, targets: words.targets } as const;

const read = ({ name, filters, targets }: Policy): PolicyFields => ({
  name,
  filters,
  targets: targets.map(typedTarget),
});
const toBody = ({ targets, ...rest }: PolicyFields) => ({ ...rest, targets: targets.map(toTarget) });

interface PromiseEditorProps {
  readonly path: string;
  readonly back: string; // address of the list
  readonly onRemoved: () => void;
}

/** The form of one policy: its name, its cases, and what is promised to them. */
export function PromiseEditor({ path, back, onRemoved }: PromiseEditorProps): JSX.Element {
  const { names } = useApp();
  const resource = useResource<Policy>(path);
  const name = resource.data?.name ?? '';
  const show = (fields: PolicyFields): Readonly<Record<string, string>> => ({
    [settingsText.name]: fields.name,
    [words.whom]: whomText(names, fields.filters),
    [words.targets]: fields.targets.map(targetText).join('; '),
  });
  return (
    <>
      <a href={back}>{text.edit.back}</a>
      <h2 dir="auto">{name || settingsText.parts.promises}</h2>
      <Editor
        path={path}
        resource={resource}
        kind={{ labels: LABELS, read, show }}
        body={toBody}
        label={name}
        onRemoved={onRemoved}
      >
        {(form) => (
          <>
            <TextField {...form.text('name')} />
            <Whom filters={form.fields.filters} error={form.error} onChange={(filters) => form.change({ filters })} />
            <Targets
              targets={form.fields.targets}
              error={form.error}
              onChange={(targets) => form.change({ targets })}
            />
          </>
        )}
      </Editor>
    </>
  );
}

interface PartProps<T> {
  readonly error: unknown;
  readonly onChange: (value: T) => void;
}

/** The filters of a policy. */
function Whom({ filters, error, onChange }: PartProps<unknown> & { readonly filters: unknown }): JSX.Element {
  const { names } = useApp();
  const { groups, toApi } = shownFilters(filters);
  const said = fieldFault(error, 'filters');
  return (
    <fieldset class="part">
      <legend>{words.whom}</legend>
      {said && <p class="fault">{said}</p>}
      {groups.length === 0 && <p class="quiet small">{whomText(names, filters)}</p>}
      <div class="row">
        <Filters state={{ filters: groups }} onChange={(next) => onChange(toApi(next.filters))} />
      </div>
    </fieldset>
  );
}

type TargetsProps = PartProps<readonly TypedTarget[]> & { readonly targets: readonly TypedTarget[] };

/** The targets of a policy in their order: the first with the metric and the priority of a case applies. */
function Targets({ targets, error, onChange }: TargetsProps): JSX.Element {
  const faults = targetFaults(error instanceof ApiError ? error.faults : []);
  const general = faults.size === 0 ? fieldFault(error, 'targets') : undefined;
  const lost = overruled(targets);
  const add = (): void => {
    const metric = METRICS.find((each) => targets.every((target) => target.metric !== each)) ?? METRICS[0];
    onChange([...targets, { metric, priorities: null, time: { count: '4', unit: 'hours' }, hours: 'calendar' }]);
  };
  return (
    <fieldset class="part">
      <legend>{words.targets}</legend>
      {general && <p class="fault">{general}</p>}
      {targets.length === 0 && <p class="quiet small">{words.noTargets}</p>}
      <NeedsHours targets={targets} />
      <Reorder
        entries={targets}
        keyOf={(_, index) => index}
        nameOf={targetText}
        onMove={(from, to) => onChange(moved(targets, from, to))}
        hasInputs
      >
        {(target, index) => (
          <TargetForm
            target={target}
            place={index + 1}
            said={said(faults.get(index))}
            isOverruled={lost.has(index)}
            onChange={(next) => onChange(targets.with(index, next))}
            onRemove={() => onChange(targets.toSpliced(index, 1))}
          />
        )}
      </Reorder>
      <p>
        <Button onClick={add}>{words.add}</Button>
      </p>
    </fieldset>
  );
}

/** The fault of a target in words; of its time in those of the form, where it has units. */
const said = (fault: { readonly part: string; readonly message: string } | undefined): string | undefined =>
  fault?.part === 'seconds' ? words.badTime : fault?.message;

interface TargetFormProps {
  readonly target: TypedTarget;
  readonly place: number; // from 1
  readonly said: string | undefined; // what the service refused
  readonly isOverruled: boolean;
  readonly onChange: (target: TypedTarget) => void;
  readonly onRemove: () => void;
}

function TargetForm({ target, place, said: fault, isOverruled, onChange, onRemove }: TargetFormProps): JSX.Element {
  const { metric, time, hours, priorities } = target;
  const change = (part: Partial<TypedTarget>): void => onChange({ ...target, ...part });
  const setHours = (next: string): void => {
    const unit = unitsFor(next).includes(time.unit) ? time.unit : 'hours';
    change({ hours: next, time: { ...time, unit } });
  };
  return (
    <>
      <span class="position">{place}</span>
      <fieldset class="part">
        <legend class="hidden">{words.one(place)}</legend>
        <div class="promise">
          <Choice
            label={words.metric}
            options={METRICS.map((each) => [each, words.metrics[each] ?? each])}
            value={metric}
            onChange={(next) => change({ metric: next })}
          />
          <Field label={words.within} error={fault}>
            {(attributes) => (
              <input
                {...attributes}
                class="input"
                inputMode="decimal"
                value={time.count}
                onInput={(event) => change({ time: { ...time, count: event.currentTarget.value } })}
              />
            )}
          </Field>
          <Choice
            label={words.unit}
            options={unitsFor(hours).map((each) => [each, words.units[each]])}
            value={time.unit}
            onChange={(next) => {
              const unit = unitsFor(hours).find((each) => each === next) ?? time.unit;
              change({ time: { ...time, unit } });
            }}
          />
          <Choice
            label={words.hours}
            options={CLOCKS.map((each) => [each, words.clocks[each] ?? each])}
            value={hours}
            onChange={setHours}
          />
        </div>
        <Priorities chosen={priorities} onChange={(next) => change({ priorities: next })} />
        {isOverruled && <p class="fault">{words.overruled}</p>}
        <p>
          <Button kind="quiet" label={words.removeOne(place)} onClick={onRemove}>
            {settingsText.remove}
          </Button>
        </p>
      </fieldset>
    </>
  );
}

interface PrioritiesProps {
  readonly chosen: readonly number[] | null;
  readonly onChange: (priorities: readonly number[] | null) => void;
}

/** The priorities for which a target is; none chosen is all. */
const Priorities = ({ chosen, onChange }: PrioritiesProps): JSX.Element => (
  <fieldset class="part">
    <legend>{words.priorities}</legend>
    <div class="segments">
      {PRIORITIES.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={chosen?.includes(each) ?? false}
          onClick={() => onChange(toggled(chosen, each))}
        >
          {each}
        </button>
      ))}
    </div>
    {chosen === null && <p class="quiet small">{words.prioritiesHint}</p>}
  </fieldset>
);
