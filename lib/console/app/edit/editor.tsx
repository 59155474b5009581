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
  readonly path: string; // of the resource
  readonly resource: Resource<T>;
  readonly read: (data: T) => F; // the fields of the form from the resource
  readonly body?: (fields: F) => unknown; // of the write; default: the fields
  readonly show: (fields: F) => Readonly<Record<string, string>>; // texts by label, to compare both sides of a conflict
  readonly label: string;
  readonly onRemoved?: (() => void) | undefined; // undefined if the form cannot delete the resource
  readonly children: (fields: F, change: (part: Partial<F>) => void, error: unknown) => ComponentChildren;
}

/** A form for one resource. It saves only if nobody else has changed the resource meanwhile (`If-Match`). */
export function Editor<T, F extends object>(props: EditorProps<T, F>): JSX.Element | null {
  const { path, resource, read, body = (sent: F): unknown => sent, show, label, onRemoved, children } = props;
  const { api, say, mayWrite } = useApp();
  const [fields, setFields] = useState<F | undefined>();
  const [error, setError] = useState<unknown>();
  const [theirs, setTheirs] = useState<Resource<T>['data']>();
  const [removing, setRemoving] = useState(false);
  const { data, etag } = resource;
  const changed = data !== undefined && fields !== undefined && JSON.stringify(fields) !== JSON.stringify(read(data));
  const leave = useUnsaved(changed);
  useEffect(() => {
    if (data !== undefined) setFields(read(data));
  }, [data]);
  if (data === undefined || fields === undefined) return <Trouble error={resource.error} onAgain={resource.reload} />;

  const write = async (method: 'PATCH' | 'DELETE', tag: string | undefined): Promise<void> => {
    setError(undefined);
    const headers = ifMatch(tag);
    try {
      const answer = await api.ask<T>(path, { method, headers, body: method === 'PATCH' ? body(fields) : undefined });
      setTheirs(undefined);
      if (method === 'PATCH') resource.take(answer);
      else {
        leave();
        onRemoved?.();
      }
      say(method === 'PATCH' ? text.edit.saved : text.edit.removed);
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
        void write('PATCH', etag);
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
      <fieldset class="fields" disabled={!mayWrite}>
        <legend class="hidden">{label}</legend>
        {children(fields, (part) => setFields({ ...fields, ...part }), error)}
      </fieldset>
      {mayWrite ? (
        <p class="row">
          <button type="submit" class="button primary" disabled={!changed}>
            {text.edit.save}
          </button>
          {onRemoved && (
            <Button kind="danger" onClick={() => setRemoving(true)}>
              {text.edit.remove}
            </Button>
          )}
          {changed && <span class="quiet small">{text.edit.unsaved}</span>}
        </p>
      ) : (
        <p class="quiet">{text.edit.readOnly}</p>
      )}
      {removing && (
        <Confirm
          question={text.edit.confirmRemove(label)}
          yes={text.edit.remove}
          onYes={() => void write('DELETE', etag)}
          onClose={() => setRemoving(false)}
        />
      )}
    </form>
  );
}

const differences = (theirs: Readonly<Record<string, string>>, mine: Readonly<Record<string, string>>): Difference[] =>
  Object.keys(mine).map((label) => ({ label, theirs: theirs[label] ?? '', mine: mine[label] ?? '' }));
