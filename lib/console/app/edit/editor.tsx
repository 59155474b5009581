import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { text } from '../../model/text.ts';
import { useApp } from '../context.tsx';
import { Trouble } from '../trouble.tsx';
import { Button, Confirm } from '../ui.tsx';
import { useUnsaved } from '../unsaved.tsx';
import { Conflict, type Difference } from './conflict.tsx';
import { ifMatch, isConflict, isGeneral, type Resource } from './resource.ts';

interface EditorProps<T, F> {
  readonly path: string; // of the resource, or of the list that a new one is added to
  readonly resource: Resource<T>;
  readonly read: (data: T) => F; // the fields of the form from the resource
  readonly body?: (fields: F) => unknown; // of the write; default: the fields
  readonly show: (fields: F) => Readonly<Record<string, string>>; // texts by label, to compare both sides of a conflict
  readonly label: string;
  readonly onSaved?: () => void;
  readonly onRemoved?: (() => void) | undefined; // undefined if the form cannot delete the resource
  readonly creating?: { readonly fields: F; readonly onMade: (made: T) => void } | undefined; // for a new resource
  readonly isAllowed?: boolean; // default: whether the user may change topics and macros
  readonly children: (fields: F, change: (part: Partial<F>) => void, error: unknown) => ComponentChildren;
}

/** A form for one resource, or a new one. It saves only if nobody else has changed the resource meanwhile (`If-Match`). */
export function Editor<T, F extends object>(props: EditorProps<T, F>): JSX.Element | null {
  const {
    path,
    resource,
    read,
    body = (sent: F): unknown => sent,
    show,
    label,
    onSaved,
    onRemoved,
    creating,
    children,
  } = props;
  const { api, say, mayWrite } = useApp();
  const isAllowed = props.isAllowed ?? mayWrite;
  const [fields, setFields] = useState<F | undefined>(creating?.fields);
  const [error, setError] = useState<unknown>();
  const [theirs, setTheirs] = useState<Resource<T>['data']>();
  const { data, etag } = resource;
  const before = creating?.fields ?? (data && read(data));
  const changed = before !== undefined && fields !== undefined && JSON.stringify(fields) !== JSON.stringify(before);
  const leave = useUnsaved(changed);
  useEffect(() => {
    if (data !== undefined) setFields(read(data));
  }, [data]);
  if (before === undefined || fields === undefined) return <Trouble error={resource.error} onAgain={resource.reload} />;

  const write = async (method: 'POST' | 'PATCH' | 'DELETE', tag: string | undefined): Promise<void> => {
    setError(undefined);
    const headers = ifMatch(tag);
    try {
      const answer = await api.ask<T>(path, { method, headers, body: method === 'DELETE' ? undefined : body(fields) });
      setTheirs(undefined);
      if (method === 'PATCH') resource.take(answer);
      else leave();
      say(method === 'DELETE' ? text.edit.removed : text.edit.saved);
      if (method === 'DELETE') onRemoved?.();
      else if (method === 'PATCH') onSaved?.();
      else creating?.onMade(answer.data);
    } catch (fault) {
      if (isConflict(fault)) setTheirs((await api.ask<T>(path)).data);
      else setError(fault);
    }
  };
  return (
    <form
      class="card editor"
      onSubmit={(event) => {
        event.preventDefault();
        void write(creating ? 'POST' : 'PATCH', etag);
      }}
    >
      {theirs !== undefined && (
        <Conflict
          differences={differences(show(read(theirs)), show(fields))}
          onKeepMine={() => void write('PATCH', undefined)}
          onTakeTheirs={() => {
            setTheirs(undefined);
            resource.reload();
          }}
        />
      )}
      {isGeneral(error) && <Trouble error={error} />}
      <fieldset class="fields" disabled={!isAllowed}>
        <legend class="hidden">{label}</legend>
        {children(fields, (part) => setFields({ ...fields, ...part }), error)}
      </fieldset>
      <Actions
        isAllowed={isAllowed}
        isNew={creating !== undefined}
        changed={changed}
        label={label}
        onRemove={onRemoved && creating === undefined ? () => void write('DELETE', etag) : undefined}
      />
    </form>
  );
}

interface ActionsProps {
  readonly isAllowed: boolean;
  readonly isNew: boolean;
  readonly changed: boolean;
  readonly label: string; // of what is removed
  readonly onRemove: (() => void) | undefined; // undefined if the form cannot delete the resource
}

/** What can be done with a form: save, and remove after a question. */
function Actions({ isAllowed, isNew, changed, label, onRemove }: ActionsProps): JSX.Element {
  const [removing, setRemoving] = useState(false);
  if (!isAllowed) return <p class="quiet">{text.edit.readOnly}</p>;
  return (
    <>
      <p class="row">
        <button type="submit" class="button primary" disabled={!changed && !isNew}>
          {isNew ? text.edit.create : text.edit.save}
        </button>
        {onRemove && (
          <Button kind="danger" onClick={() => setRemoving(true)}>
            {text.edit.remove}
          </Button>
        )}
        {changed && <span class="quiet small">{text.edit.unsaved}</span>}
      </p>
      {removing && onRemove && (
        <Confirm
          question={text.edit.confirmRemove(label)}
          yes={text.edit.remove}
          onYes={onRemove}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}

const differences = (theirs: Readonly<Record<string, string>>, mine: Readonly<Record<string, string>>): Difference[] =>
  Object.keys(mine).map((label) => ({ label, theirs: theirs[label] ?? '', mine: mine[label] ?? '' }));
