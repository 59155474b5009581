import type * as z from 'zod';
import type { FileImport } from '../../../lib/console/model/file-import.ts';
import type { ImportOutcome } from '../../../lib/uploads/shapes.ts';
import { type ImportView, type importShape, stateOf, stepsOf } from '../../../lib/uploads/show.ts';
import type { Upload } from '../../../lib/uploads/upload.ts';

const outcome = {} as ImportOutcome;
const NOW = 1_000;
const upload: Upload = {
  ...{ id: 4, name: 'file.csv', size: 1, login: 'ann', given: {}, created_at: 1, updated_at: 1 },
  ...{ work: 'check', status: 'done', problem: null, progress: null, touched: false },
  ...{ found: null, checked: outcome, loaded: null, merged: null, changes: [] },
};
const turn = (id: number, until: number) => ({ owner: 'somebody', expiresAt: until, kept: { id, last: id } });
const seen = (fields: Partial<Upload>, held?: ImportView['turn']): ImportView => ({
  upload: { ...upload, ...fields },
  turn: held,
  now: NOW,
});

describe('how an import stands', () => {
  it.each([
    [{}, undefined, 'checked', ['correct', 'load', 'undo']],
    [{ status: 'waiting' }, undefined, 'waiting', ['check', 'undo']],
    [{ status: 'working' }, turn(4, NOW + 1), 'checking', []],
    [{ status: 'working' }, turn(4, NOW), 'interrupted', ['correct', 'undo']],
    [{ status: 'working' }, turn(5, NOW + 1), 'interrupted', ['correct', 'undo']],
    [{ status: 'failed', checked: null }, undefined, 'failed', ['correct', 'undo']],
    [{ work: 'load', status: 'working', touched: true }, turn(4, NOW + 1), 'loading', []],
    [{ work: 'load', status: 'working', touched: true }, undefined, 'interrupted', ['load', 'undo']],
    [{ work: 'load', touched: true }, undefined, 'loaded', ['correct', 'undo']],
    [{ work: 'undo', touched: true }, undefined, 'undone', []],
    [{ work: 'undo', status: 'failed', touched: true }, undefined, 'failed', ['undo']],
  ] as const)('%j with the turn %j is %s and can %j', (fields, held, state, steps) => {
    const one = seen(fields as Partial<Upload>, held);
    expect([stateOf(one), stepsOf(one)]).toEqual([state, steps]);
  });
});

it('has all that the console reads of an import', () => {
  const reads = (shown: z.output<ReturnType<typeof importShape>>): FileImport => shown; // what fails does not compile
  expect(reads).toBeDefined();
});
