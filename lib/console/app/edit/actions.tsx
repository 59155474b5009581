import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  type ActionValue,
  actionLabel,
  fieldOf,
  findActionType,
  labelsOf,
  prefixOf,
  readValue,
  shownValue,
} from '../../model/action-input.ts';
import type { ActionType } from '../../model/definitions.ts';
import { macroText } from '../../model/text/macro-text.ts';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { Trouble } from '../trouble.tsx';
import { Check, Choice, fieldFault, TextArea } from '../ui/fields.tsx';
import { useOnce } from '../ui/once.ts';
import { Editor } from './editor.tsx';
import { formKind } from './form.ts';
import { allOf, isGeneral, type Page, useResource } from './resource.ts';
import { WordsField } from './words-field.tsx';

interface Action {
  readonly id: number;
  readonly type: string;
  readonly value: ActionValue;
  readonly enabled: boolean;
}

const NONE: readonly ActionType[] = [];
const NO_CHOICE = ['', ''] as const;
const TEXT = { kind: 'text' } as const; // the input of a type that the definitions lack

/** The types of actions; none for a role without reports, which sees values as texts. */
const useActionTypes = (): readonly ActionType[] => useApp().definitions?.action_types ?? NONE;

/** The actions of a macro in their order, each with the input for its type. */
export function MacroActions({ path }: { readonly path: string }): JSX.Element {
  const { mayWrite } = useApp();
  const list = useResource<Page<Action>>(allOf(path));
  const actions = list.data?._embedded.entries;
  return (
    <section aria-label={macroText.actions}>
      <h2>{macroText.actions}</h2>
      <Trouble error={list.error} onAgain={list.reload} />
      {actions?.length === 0 && <p class="quiet">{macroText.noActions}</p>}
      <ol class="actions">
        {actions?.map(({ id, type }) => (
          <li key={id}>
            <ActionForm path={`${path}/${id}`} type={type} onRemoved={list.reload} />
          </li>
        ))}
      </ol>
      {mayWrite && <NewAction path={path} onMade={list.reload} />}
    </section>
  );
}

interface ActionFormProps {
  readonly path: string;
  readonly type: string;
  readonly onRemoved: () => void;
}

function ActionForm({ path, type, onRemoved }: ActionFormProps): JSX.Element {
  const resource = useResource<Action>(path);
  const types = useActionTypes();
  const label = actionLabel(types, type);
  const kind = formKind<Pick<Action, 'value' | 'enabled'>>({ value: label, enabled: macroText.actionEnabled });
  return (
    <Editor path={path} resource={resource} kind={kind} label={label} onRemoved={onRemoved}>
      {(form) => (
        <>
          <ValueField
            label={label}
            type={type}
            value={form.fields.value}
            error={form.error}
            onChange={(value) => form.change({ value })}
          />
          <Check {...form.check('enabled')} />
        </>
      )}
    </Editor>
  );
}

interface ValueFieldProps {
  readonly label: string;
  readonly type: string;
  readonly value: ActionValue;
  readonly error: unknown;
  readonly onChange: (value: ActionValue) => void;
}

function ValueField({ label, type, value, error, onChange }: ValueFieldProps): JSX.Element {
  const { input = TEXT } = findActionType(useActionTypes(), type) ?? {};
  const choices = useChoices(type);
  const shown = shownValue(value);
  const onTyped = (typed: string): void => onChange(readValue(input, typed));
  if (input.kind === 'labels')
    return (
      <LabelsField label={label} labels={labelsOf(value)} error={fieldFault(error, 'value')} onChange={onChange} />
    );
  const said = { label, name: 'value', error, value: shown };
  if (choices === undefined) return <TextArea {...said} onInput={onTyped} input={{ rows: 2 }} />;
  const options = choices.map(({ id, name }) => [id, name] as const);
  const others = choices.some(({ id }) => id === shown) ? [] : [[shown, shown] as const];
  return <Choice {...said} options={[...others, ...options]} onChange={onTyped} />;
}

interface LabelsFieldProps {
  readonly label: string;
  readonly labels: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (labels: readonly string[]) => void;
}

/** Labels of a macro, chosen from those of the site; others can be typed. */
function LabelsField({ labels, ...rest }: LabelsFieldProps): JSX.Element {
  const { names } = useApp();
  return (
    <WordsField
      {...rest}
      words={labels}
      known={names.kind('labels').map(({ name }) => name)}
      add={macroText.addLabel}
      other={macroText.otherLabel}
      otherHint={macroText.otherLabelHint}
    />
  );
}

/** The choices for the value of a type; undefined for free text. */
function useChoices(type: string): readonly { readonly id: string; readonly name: string }[] | undefined {
  const { names, definitions } = useApp();
  const actionType = findActionType(useActionTypes(), type);
  if (actionType?.input.kind === 'choice')
    return actionType.input.choices.map((id) => ({ id, name: text.status[id] ?? id }));
  if (actionType?.input.kind === 'member') return names.kind(actionType.input.of);
  if (actionType?.input.kind === 'language') return definitions?.site.locales.map((id) => ({ id, name: id }));
  const values = names.valuesOf(fieldOf(actionType, type) ?? '');
  return values.length === 0 ? undefined : values.map((name) => ({ id: name, name }));
}

function NewAction({ path, onMade }: { readonly path: string; readonly onMade: () => void }): JSX.Element {
  const { api, say, names } = useApp();
  const [type, setType] = useState('');
  const [field, setField] = useState('');
  const [value, setValue] = useState<ActionValue>('');
  const [error, setError] = useState<unknown>();
  const types = useActionTypes();
  const chosen = types.find((each) => prefixOf(each) === type);
  const { input = TEXT } = chosen ?? {};
  const whole = input.kind === 'custom' ? `${type}${field}` : type;
  const add = useOnce(async () => {
    try {
      const sent = input.kind === 'labels' ? labelsOf(value) : readValue(input, shownValue(value));
      const body = { type: whole, value: sent };
      await api.ask(path, { method: 'POST', body });
      say(text.edit.saved);
      setType('');
      setValue('');
      setError(undefined);
      onMade();
    } catch (fault) {
      setError(fault);
    }
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    add();
  };
  const isUnnamed = input.kind === 'custom' && field === '';
  return (
    <form class="card editor missing" onSubmit={submit}>
      <h3>{macroText.addAction}</h3>
      {isGeneral(error) && <Trouble error={error} />}
      <Choice
        label={macroText.type}
        name="type"
        error={input.kind === 'custom' && field !== '' ? undefined : error}
        options={[NO_CHOICE, ...types.map((each) => [prefixOf(each), each.label] as const)]}
        value={type}
        onChange={(chosenType) => {
          setType(chosenType);
          setField('');
          setValue('');
        }}
      />
      {input.kind === 'custom' && (
        <Choice
          label={macroText.customName}
          name="type"
          error={isUnnamed ? undefined : error}
          options={[NO_CHOICE, ...names.customFields().map((name) => [name, name] as const)]}
          value={field}
          onChange={setField}
        />
      )}
      {type !== '' && (
        <ValueField label={macroText.value} type={whole} value={value} error={error} onChange={setValue} />
      )}
      <p class="row">
        <button type="submit" class="button" disabled={type === '' || isUnnamed}>
          {macroText.addAction}
        </button>
      </p>
    </form>
  );
}
