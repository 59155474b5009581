import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { Trouble } from '../trouble.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { useUnsaved } from '../unsaved.tsx';
import { Conflict, type Difference } from './conflict.tsx';
import { createForm, type Form, type FormKind, fieldsOf } from './form.ts';
import { isGeneral, type Resource } from './resource.ts';
import { useWrites } from './writes.ts';

/** What a form for a new resource begins with and ends with. */
interface Creating<T, F> {
  readonly fields: F;
  readonly isComplete?: (fields: F) => boolean; // whether it can be saved; default: always
  readonly onMade: (made: T) => void;
}

interface EditorProps<T, F> {
  readonly path: string; // of the resource, or of the list that a new one is added to
  readonly resource: Resource<T>;
  readonly kind: FormKind<T, F>;
  readonly body?: (fields: F) => unknown; // of the write; default: the fields
  readonly label: string;
  readonly onSaved?: () => void;
  readonly onRemoved?: (() => void) | undefined; // undefined if the form cannot delete the resource
  readonly creating?: Creating<T, F> | undefined; // for a new resource
  readonly isAllowed?: boolean; // default: whether the user may change topics and macros
  readonly children: (form: Form<F>) => ComponentChildren;
}

/** A form for one resource, or a new one. It saves only if nobody else has changed the resource meanwhile (`If-Match`). */
export function Editor<T, F extends object>(props: EditorProps<T, F>): JSX.Element | null {
  const { path, resource, kind, label, onSaved, onRemoved, creating, children } = props;
  const { labels, read, show } = kind;
  const { body = (sent: F): unknown => fieldsOf(sent, labels) } = props;
  const { mayWrite } = useApp();
  const isAllowed = props.isAllowed ?? mayWrite;
  const [fields, setFields] = useState<F | undefined>(creating?.fields);
  const { error, theirs, write, overwrite, takeTheirs } = useWrites(path, resource);
  const { data } = resource;
  const before = creating?.fields ?? (data && read(data));
  const written = (shown: F): string => JSON.stringify(fieldsOf(shown, labels));
  const changed = before !== undefined && fields !== undefined && written(fields) !== written(before);
  const leave = useUnsaved(changed);
  const settled = useRef(fields); // as they were when last read or sent
  useEffect(() => {
    if (data === undefined) return;
    const fresh = read(data);
    const sent = settled.current;
    settled.current = fresh;
    setFields((now) => (now === sent ? fresh : now)); // what was typed while the write ran stays
  }, [data]);
  if (before === undefined || fields === undefined) return <Trouble error={resource.error} onAgain={resource.reload} />;

  const change = (how: typeof write): void => {
    if (how('PATCH', body(fields), onSaved)) settled.current = fields;
  };
  const create = ({ onMade }: Creating<T, F>): boolean =>
    write('POST', body(fields), (made) => {
      leave();
      onMade(made);
    });
  const remove = (): boolean =>
    write('DELETE', undefined, () => {
      leave();
      onRemoved?.();
    });
  return (
    <form
      class="card editor"
      onSubmit={(event) => {
        event.preventDefault();
        if (creating) create(creating);
        else change(write);
      }}
    >
      {theirs !== undefined && (
        <Conflict
          differences={differences(show(read(theirs)), show(fields))}
          onKeepMine={() => change(overwrite)}
          onTakeTheirs={() => {
            settled.current = fields;
            takeTheirs();
          }}
        />
      )}
      {isGeneral(error) && <Trouble error={error} />}
      <fieldset class="fields" disabled={!isAllowed}>
        <legend class="hidden">{label}</legend>
        {children(createForm(fields, labels, error, setFields))}
      </fieldset>
      <Actions
        isAllowed={isAllowed}
        isNew={creating !== undefined}
        isReady={creating ? (creating.isComplete?.(fields) ?? true) : changed}
        changed={changed}
        label={label}
        onRemove={onRemoved && creating === undefined ? remove : undefined}
      />
    </form>
  );
}

interface ActionsProps {
  readonly isAllowed: boolean;
  readonly isNew: boolean;
  readonly isReady: boolean; // whether there is something to save
  readonly changed: boolean;
  readonly label: string; // of what is removed
  readonly onRemove: (() => unknown) | undefined; // undefined if the form cannot delete the resource
}

/** What can be done with a form: save, and remove after a question. */
function Actions({ isAllowed, isNew, isReady, changed, label, onRemove }: ActionsProps): JSX.Element {
  if (!isAllowed) return <p class="quiet">{text.edit.readOnly}</p>;
  return (
    <p class="row">
      <button type="submit" class="button primary" disabled={!isReady}>
        {isNew ? text.edit.create : text.edit.save}
      </button>
      {onRemove && (
        <ConfirmButton kind="danger" question={text.edit.confirmRemove(label)} yes={text.edit.remove} onYes={onRemove}>
          {text.edit.remove}
        </ConfirmButton>
      )}
      {changed && <span class="quiet small">{text.edit.unsaved}</span>}
    </p>
  );
}

const differences = (theirs: Readonly<Record<string, string>>, mine: Readonly<Record<string, string>>): Difference[] =>
  Object.keys(mine).map((label) => ({ label, theirs: theirs[label] ?? '', mine: mine[label] ?? '' }));
