import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  ACTION_TYPES,
  type ActionInput,
  type ActionValue,
  CUSTOM,
  inputOf,
  readValue,
  shownValue,
} from '../../model/action-input.ts';
import { faultText, text } from '../../model/text.ts';
import { useApp } from '../context.tsx';
import { Trouble } from '../trouble.tsx';
import { Field } from '../ui.tsx';
import { Editor } from './editor.tsx';
import { faultsOf, isGeneral, type Page, useResource } from './resource.ts';

interface Action {
  readonly id: number;
  readonly type: string;
  readonly value: ActionValue;
  readonly enabled: boolean;
}

/** The text of an action's type. */
function typeText(type: string): string {
  const { types } = text.macros;
  return type.startsWith(CUSTOM) ? `${types[CUSTOM]} “${type.slice(CUSTOM.length)}”` : (types[type] ?? type);
}

/** The actions of a macro in their order, each with the input for its type. */
export function MacroActions({ path }: { readonly path: string }): JSX.Element {
  const { mayWrite } = useApp();
  const list = useResource<Page<Action>>(`${path}?per_page=1000`);
  const actions = list.data?._embedded.entries;
  return (
    <section aria-label={text.macros.actions}>
      <h2>{text.macros.actions}</h2>
      <Trouble error={list.error} onAgain={list.reload} />
      {actions?.length === 0 && <p class="quiet">{text.macros.noActions}</p>}
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
  const input = inputOf(type);
  const label = typeText(type);
  return (
    <Editor<Action, Pick<Action, 'value' | 'enabled'>>
      path={path}
      resource={resource}
      read={({ value, enabled }) => ({ value, enabled })}
      show={({ value, enabled }) => ({
        [label]: shownValue(value),
        [text.macros.actionEnabled]: text.yesNo[Number(enabled)] ?? '',
      })}
      label={label}
      onRemoved={onRemoved}
    >
      {({ value, enabled }, change, error) => (
        <>
          <ValueField
            label={label}
            input={input}
            value={value}
            error={error}
            onChange={(next) => change({ value: next })}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={enabled}
              onChange={(event) => change({ enabled: event.currentTarget.checked })}
            />{' '}
            {text.macros.actionEnabled}
          </label>
        </>
      )}
    </Editor>
  );
}

interface ValueFieldProps {
  readonly label: string;
  readonly input: ActionInput;
  readonly value: ActionValue;
  readonly error: unknown;
  readonly onChange: (value: ActionValue) => void;
}

function ValueField({ label, input, value, error, onChange }: ValueFieldProps): JSX.Element {
  const choices = useChoices(input);
  const shown = shownValue(value);
  const [code] = faultsOf(error, 'value');
  const hint = input.kind === 'labels' ? { hint: text.macros.valueList } : {};
  return (
    <Field label={label} error={code && faultText('value', code)} {...hint}>
      {(attributes) =>
        choices ? (
          <select
            {...attributes}
            class="input"
            value={shown}
            onChange={(event) => onChange(readValue(input, event.currentTarget.value))}
          >
            {!choices.some(({ id }) => id === shown) && <option value={shown}>{shown}</option>}
            {choices.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        ) : (
          <textarea
            {...attributes}
            class="input"
            dir="auto"
            rows={input.kind === 'labels' ? 3 : 2}
            value={shown}
            onInput={(event) => onChange(readValue(input, event.currentTarget.value))}
          />
        )
      }
    </Field>
  );
}

/** The choices for an input; undefined for free text. */
function useChoices(input: ActionInput): readonly { readonly id: string; readonly name: string }[] | undefined {
  const { names, definitions } = useApp();
  if (input.kind === 'choice') return input.choices.map((id) => ({ id, name: text.status[id] ?? id }));
  if (input.kind === 'member') return names.kind(input.of);
  if (input.kind === 'language') return definitions?.site.locales.map((id) => ({ id, name: id }));
  if (input.kind !== 'custom') return undefined;
  const values = names.valuesOf(input.field);
  return values.length === 0 ? undefined : values.map((name) => ({ id: name, name }));
}

function NewAction({ path, onMade }: { readonly path: string; readonly onMade: () => void }): JSX.Element {
  const { api, say } = useApp();
  const [type, setType] = useState('');
  const [field, setField] = useState('');
  const [value, setValue] = useState<ActionValue>('');
  const [error, setError] = useState<unknown>();
  const whole = type === CUSTOM ? `${CUSTOM}${field}` : type;
  const input = inputOf(whole);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    try {
      const body = { type: whole, value: readValue(input, shownValue(value)) };
      await api.ask(path, { method: 'POST', body });
      say(text.edit.saved);
      setType('');
      setValue('');
      setError(undefined);
      onMade();
    } catch (fault) {
      setError(fault);
    }
  };
  const [code] = faultsOf(error, 'type');
  return (
    <form class="card editor missing" onSubmit={submit}>
      <h3>{text.macros.addAction}</h3>
      {isGeneral(error) && <Trouble error={error} />}
      <Field label={text.macros.type} error={code && faultText('type', code)}>
        {(attributes) => (
          <select
            {...attributes}
            class="input"
            value={type}
            onChange={(event) => {
              setType(event.currentTarget.value);
              setValue('');
            }}
          >
            <option value="" />
            {ACTION_TYPES.map((each) => (
              <option key={each} value={each}>
                {text.macros.types[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {type === CUSTOM && (
        <Field label={text.macros.customName}>
          {(attributes) => (
            <input
              {...attributes}
              class="input"
              value={field}
              onInput={(event) => setField(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      {type !== '' && (
        <ValueField label={text.macros.value} input={input} value={value} error={error} onChange={setValue} />
      )}
      <p class="row">
        <button type="submit" class="button" disabled={type === ''}>
          {text.macros.addAction}
        </button>
      </p>
    </form>
  );
}
