import * as z from 'zod';
import { idShape, linkShape, timestampShape } from '../http/shapes.ts';
import { proposalShape, questionShape } from '../import/proposal/proposal.ts';
import { timestamp } from '../text.ts';
import { isArriving } from './arrival.ts';
import { noteShape, outcomeShape, previewShape, progressShape } from './shapes.ts';
import { hasTurn, type TurnState } from './turn.ts';
import type { Upload, Work } from './upload.ts';
import type { Invitation } from './upload-store.ts';

export const IMPORTS_PATH = '/api/v2/imports';
export const importPath = (id: number): string => `${IMPORTS_PATH}/${id}`;

const STATES = [
  'arriving',
  'waiting',
  'checking',
  'checked',
  'loading',
  'loaded',
  'undoing',
  'undone',
  'failed',
  'interrupted',
] as const;
export type ImportState = (typeof STATES)[number];

/** The steps that an import can offer. */
const STEPS = ['check', 'correct', 'load', 'undo'] as const;
export type OfferedStep = (typeof STEPS)[number];

const WORKING = { check: 'checking', load: 'loading', undo: 'undoing' } as const;
const DONE = { check: 'checked', load: 'loaded', undo: 'undone' } as const;

/** An import and its site's turn, and when they were read. */
export interface ImportView {
  readonly upload: Upload;
  readonly turn: TurnState | undefined; // undefined: none is held
  readonly now: number; // epoch ms
  readonly form?: Invitation; // the form for a file that is waited for
}

/** An import of which only the state is asked for. */
export interface ImportStateView extends Pick<ImportView, 'turn' | 'now'> {
  readonly upload: Pick<Upload, 'id' | 'work' | 'status' | 'updated_at'>;
}

/** The state of an import. A work that lost its turn before its end was interrupted. */
export function stateOf({ upload, turn, now }: ImportStateView): ImportState {
  const { id, work, status } = upload;
  if (status === 'arriving') return isArriving(upload, now) ? 'arriving' : 'interrupted';
  if (status === 'failed' || status === 'waiting') return status;
  if (status === 'done') return DONE[work];
  return turn && hasTurn(turn, id, now) ? WORKING[work] : 'interrupted';
}

/** The steps that an import's state allows. */
export function stepsOf(seen: ImportView): readonly OfferedStep[] {
  const { work, status, touched, checked } = seen.upload;
  const state = stateOf(seen);
  if (status === 'arriving') return ['undo']; // which ends what arrives
  if (state === 'undone' || Object.values<ImportState>(WORKING).includes(state)) return [];
  const may: Readonly<Record<OfferedStep, boolean>> = {
    check: state === 'waiting',
    correct: state === 'loaded' || (state !== 'waiting' && (!touched || work === 'check')),
    load: checked !== null && (state === 'checked' || (work === 'load' && state !== 'loaded')),
    undo: true,
  };
  return STEPS.filter((step) => may[step]);
}

/** The work that each step starts. */
export const WORK_OF: Readonly<Record<OfferedStep, Work>> = {
  check: 'check',
  correct: 'check',
  load: 'load',
  undo: 'undo',
};

/** A form as replies show it. */
const uploadShape = () =>
  z.object({
    url: z.string().meta({ description: 'Takes a POST of multipart/form-data: the fields, then the file as `file`' }),
    fields: z.record(z.string(), z.string()),
    largest_size: z.int().meta({ description: 'Bytes of the file at most' }),
    expires_at: timestampShape(),
  });

/** An import as replies show it. */
export const importShape = () =>
  z.object({
    id: idShape(),
    name: z.string().meta({ description: 'Of the file' }),
    size: z.int().meta({ description: 'Bytes of the file as sent; while it arrives, those that are there' }),
    by: z.string().meta({ description: 'Login of the user who sent it' }),
    state: z.enum(STATES),
    can: z.array(z.enum(STEPS)).meta({
      description:
        'The next possible steps: check, correct (by PATCH; what was loaded is taken back first), load, undo',
    }),
    problem: z.string().nullable().meta({ description: 'Why it failed, for people' }),
    upload: uploadShape()
      .nullable()
      .meta({ description: 'The form to send the file with, while the import waits for it' }),
    progress: z.object(progressShape.shape).nullable(),
    format: z.string().nullable().meta({ description: 'The recognised or given format' }),
    why: z.string().nullable(),
    zone: z.string().nullable().meta({ description: "Of times without offset; null: the site's" }),
    source: z.string().nullable().meta({ description: 'Where its events come from' }),
    mapping: z.record(z.string(), z.unknown()).nullable().meta({ description: 'What the columns of a CSV mean' }),
    complete: z.boolean().meta({ description: 'The file has all cases of its source, so its other cases are removed' }),
    questions: z
      .array(questionShape)
      .meta({ description: 'What the file leaves open; PATCH `answers` answers, and nothing loads before' }),
    answers: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The answers given so far, by the ids of questions' }),
    proposal: proposalShape.nullable().meta({ description: 'What a CSV without a given mapping was understood as' }),
    notes: z.array(noteShape).meta({ description: 'What the proposed mapping says, and why' }),
    preview: previewShape.nullable().meta({ description: 'The first rows, or lines' }),
    check: outcomeShape.nullable().meta({ description: 'What loading would change' }),
    result: outcomeShape.nullable().meta({ description: 'What loading changed' }),
    created_at: timestampShape(),
    updated_at: timestampShape(),
    _links: z.object({ self: linkShape('import'), rejected: linkShape('rejected').nullable() }),
  });

const STOPPED =
  'The service or the process that worked on the import ended before it was done. Take the step again: nothing is added twice.';

const STRANDED = 'The service ended before the file had arrived: discard the import, and send the file again.';

export function showImport(seen: ImportView): z.input<ReturnType<typeof importShape>> {
  const { id, name, size, login, status, problem, progress, given, found, checked, loaded, ...upload } = seen.upload;
  const { form } = seen;
  const state = stateOf(seen);
  const path = importPath(id);
  return {
    id,
    name,
    size,
    by: login,
    state,
    can: [...stepsOf(seen)],
    problem: problem ?? (state !== 'interrupted' ? null : status === 'arriving' ? STRANDED : STOPPED),
    upload: form
      ? { url: form.url, fields: { ...form.fields }, largest_size: form.largest, expires_at: timestamp(form.expires) }
      : null,
    progress: Object.values<ImportState>(WORKING).includes(state) ? progress : null,
    format: found?.format ?? given.format ?? null,
    why: found?.why ?? null,
    zone: given.zone ?? null,
    source: found?.source ?? given.source ?? null,
    mapping: given.mapping ?? found?.mapping ?? null,
    complete: given.complete ?? false,
    questions: found?.questions ?? [],
    answers: given.answers ?? {},
    proposal: found?.proposal ?? null,
    notes: found?.notes ?? [],
    preview: found?.preview ?? null,
    check: checked,
    result: loaded,
    created_at: timestamp(upload.created_at),
    updated_at: timestamp(upload.updated_at),
    _links: {
      self: { href: path, class: 'import' },
      rejected:
        loaded !== null && loaded.rejected > 0 && state !== 'undone'
          ? { href: `${path}/rejected`, class: 'rejected' }
          : null,
    },
  };
}
