import * as z from 'zod';
import { planAuthority } from '../access/authority.ts';
import { R_ADMIN, R_SETTINGS } from '../access/roles.ts';
import type { Context } from '../context.ts';
import { type Faults, notFound, refusal } from '../errors.ts';
import { booleanField, idOf, nameField, wordField } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { created, type Reply, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import { FORMATS } from '../import/format-names.ts';
import { ImportFault } from '../import/formats/import-fault.ts';
import { MAX_SOURCE } from '../import/records/record-fields.ts';
import { plainLine } from '../text.ts';
import { isTimeZone } from '../zone.ts';
import { ACCESS, accessAnswers } from './access.ts';
import { readGivenMapping } from './given-mapping.ts';
import { readImport, readImportHeads, readImports } from './read-import.ts';
import { confirmArrival, receiveFile, type StepRequest, startStep } from './receive.ts';
import type { UploadChoices } from './shapes.ts';
import { IMPORTS_PATH, type ImportView, importPath, importShape, showImport } from './show.ts';
import type { UploadStore } from './upload-store.ts';

const IMPORT = `${IMPORTS_PATH}/{import_id}`;

const usual = { roles: R_ADMIN, extension: true, reads: () => [] } as const;

const zoneField = () =>
  nameField()
    .refine(isTimeZone, 'invalid')
    .meta({ examples: ['America/New_York'] });
/** The name of a file, as one line: lists, terminals and logs show it. */
const fileNameField = () =>
  nameField()
    .transform(plainLine)
    .refine((name) => name !== '', 'blank');
const options = {
  format: wordField(FORMATS),
  zone: zoneField(),
  source: nameField(MAX_SOURCE),
};
const corrections = {
  ...options,
  mapping: z.record(z.string(), z.unknown(), 'invalid').meta({ description: 'docs/import.md, Mappings' }),
  answers: z
    .record(z.string(), z.unknown(), 'invalid')
    .nullable()
    .meta({ description: 'By the ids of questions, added to those given; null drops all' }),
  complete: booleanField().meta({ description: 'The file has all cases of its source' }),
};

/** The store of files; throws `not_found` in a deployment that takes no files. */
function required(store: UploadStore | undefined): UploadStore {
  if (store === undefined) throw notFound('place for files of imports in this deployment');
  return store;
}

/** Returns how a route finds its import. */
const findIn =
  (store: UploadStore | undefined) =>
  ({ context, params }: Pick<Call, 'context' | 'params'>): Promise<ImportView> =>
    readImport({ ...context, holders: store?.holders }, idOf(params.import_id));

/** Adds a fault with the reason if the mapping cannot be used; does not throw. */
function checkMapping(mapping: Readonly<Record<string, unknown>> | undefined, zone: string, faults: Faults): void {
  if (mapping === undefined) return;
  try {
    readGivenMapping(mapping, zone);
  } catch (error) {
    if (!(error instanceof ImportFault)) throw error;
    faults.explain('invalid', ['mapping'], { message: error.message });
  }
}

/**
 * Who agrees to the changes of users and settings that answers take, by their texts. Adds a fault for answers of a wrong
 * form; throws if who asks may not agree.
 */
async function agreements(
  answers: UploadChoices['answers'],
  context: Context,
  faults: Faults,
): Promise<UploadChoices['agreed']> {
  const said = accessAnswers(answers);
  if (said === undefined)
    faults.explain('invalid', ['answers'], { message: `${ACCESS} takes true or false for each change, by its text.` });
  const wanted = Object.entries(said ?? {}).flatMap(([text, isWanted]) => (isWanted ? [text] : []));
  if (wanted.length > 0) await settle(context, faults);
  return Object.fromEntries(wanted.map((text) => [text, context.actor]));
}

/** Adds a fault if somebody else than an Administrator agrees to changes of users and settings; a program never does. */
async function settle(context: Context, faults: Faults): Promise<void> {
  if (R_SETTINGS.includes(context.user.role)) {
    await planAuthority(context, { agrees: true });
    return;
  }
  const message = 'Only an Administrator agrees to changes of users and settings.';
  faults.explain('invalid', ['answers'], { message });
}

/** Throws where who asks may not take back what an import changed of users and settings. */
async function checkTakeBack({ context, resource: { upload } }: Pick<Call<ImportView>, 'context' | 'resource'>) {
  if (upload.changes.length === 0) return;
  if (!R_SETTINGS.includes(context.user.role))
    throw refusal('forbidden', 'This import changed users or settings: only an Administrator takes that back.');
  await planAuthority(context, { agrees: true });
}

/** Throws `invalid` that names the questions of an import that are open. */
function refuseOpen({ upload: { found } }: ImportView, faults: Faults): void {
  const open = found?.questions ?? [];
  if (open.length === 0) return;
  const message = `Questions are open: ${open.map(({ id, text }) => `${id} (${text})`).join(', ')}. PATCH answers.`;
  faults.explain('blank', ['questions'], { message, allowed: open.map(({ id }) => id) });
  faults.check();
}

/** Starts a step of an import and shows the import. */
const advance = async (
  store: UploadStore | undefined,
  { context, resource }: Pick<Call<ImportView>, 'context' | 'resource'>,
  next: StepRequest,
): Promise<Reply> => show(showImport(await startStep(context, required(store), resource, next)));

/** The endpoints of imports; `store` keeps their files. Without it they answer 404. */
export const createImportRoutes = (store?: UploadStore): readonly Route[] => [
  ...arrivalRoutes(store),
  ...correctionRoutes(store),
  ...stepRoutes(store),
];

const arrivalRoutes = (store: UploadStore | undefined): readonly Route[] => [
  route({
    name: 'listImports',
    summary: 'List imports, the latest first',
    method: 'GET',
    path: IMPORTS_PATH,
    ...usual,
    list: true,
    reply: () => pageShape(importShape()),
    handle: async (call) => {
      const place = { ...call.context, holders: store?.holders };
      const all = await readImportHeads(place);
      return listReply(call, {
        path: IMPORTS_PATH,
        seeds: all,
        members: () => all,
        showAll: async (some) => (await readImports(place, some)).map(showImport),
      });
    },
  }),
  route({
    name: 'createImport',
    summary:
      'Upload a file of support history as the body: its format is recognised and the file is checked, nothing is loaded yet. In the cloud send no body: the reply has the form to send the file with',
    method: 'POST',
    path: IMPORTS_PATH,
    ...usual,
    streams: true,
    query: { name: fileNameField().meta({ description: 'Of the file; required' }), ...options },
    reply: importShape,
    example: {},
    handle: async (call) => {
      const { context, query, faults } = call;
      const keeper = required(store);
      if (query.name === undefined) faults.add('blank', 'name');
      faults.check();
      const { name = '', ...given } = query;
      const seen = await receiveFile(context, keeper, { name, given, bytes: call.stream() });
      return created(context.origin, importPath(seen.upload.id), showImport(seen));
    },
  }),
  route({
    name: 'showImport',
    summary: 'Show an import and its progress',
    method: 'GET',
    path: IMPORT,
    ...usual,
    reply: importShape,
    find: findIn(store),
    handle: async ({ context, resource }) => show(showImport(await withForm(context, store, resource))),
  }),
];

/** Adds the form to an import that waits for its file. */
async function withForm({ site, now }: Context, store: UploadStore | undefined, seen: ImportView): Promise<ImportView> {
  const { id, name, status } = seen.upload;
  if (status !== 'waiting' || store === undefined || !('invite' in store.arrival)) return seen;
  return { ...seen, form: await store.arrival.invite({ site: site.name, id, name }, now) };
}

/** Whether answers are about what the file says itself; null drops those given before. */
const areOfFile = (answers: UploadChoices['answers'] | null): boolean =>
  answers === null || Object.keys(answers ?? {}).some((id) => id !== ACCESS);

/** Answers after further ones; those about changes of users and settings are added to each other. */
function withAnswers(before: UploadChoices['answers'], next: UploadChoices['answers'] = {}): UploadChoices['answers'] {
  if (next[ACCESS] === undefined) return { ...before, ...next };
  return { ...before, ...next, [ACCESS]: { ...accessAnswers(before), ...accessAnswers(next) } };
}

const correctionRoutes = (store: UploadStore | undefined): readonly Route[] => [
  route({
    name: 'updateImport',
    summary: 'Correct the recognised format or mapping of the file, and check it again',
    method: 'PATCH',
    path: IMPORT,
    ...usual,
    body: corrections,
    reply: importShape,
    example: { mapping: { kind: 'tickets', case: 'Id', created: 'Created at', time: {} } },
    find: findIn(store),
    handle: async ({ context, resource, fields, faults }) => {
      const { given } = resource.upload;
      checkMapping(fields.mapping, fields.zone ?? given.zone ?? context.site.timeZone, faults);
      const { mapping, answers, ...others } = fields;
      const agreed = {
        ...(answers === null ? {} : given.agreed),
        ...(await agreements(answers ?? undefined, context, faults)),
      };
      faults.check();
      await checkTakeBack({ context, resource });
      // A new format makes the old mapping void, and answers, too: they are about what the file says itself.
      const kept = fields.format === undefined && !areOfFile(answers) ? given : { ...given, mapping: undefined };
      const answered = answers === null ? undefined : withAnswers(given.answers, answers);
      const next = { ...kept, ...others, agreed, answers: answered, ...(mapping && { mapping, format: 'csv' }) };
      const { touched } = resource.upload; // what it loaded is taken back by what was found
      const fresh = touched ? { given: next } : { given: next, found: null, checked: null };
      return advance(store, { context, resource }, { step: 'correct', fields: fresh });
    },
  }),
];

/** What the routes that take a step have in common. */
const step = (store: UploadStore | undefined) =>
  ({ method: 'POST', ...usual, success: 200, reply: importShape, example: {}, find: findIn(store) }) as const;

const stepRoutes = (store: UploadStore | undefined): readonly Route[] => [
  route({
    name: 'checkImport',
    summary:
      'Recognise and check the file that was sent by the form; a file that is sent as the body is checked without this',
    path: `${IMPORT}/check`,
    ...step(store),
    handle: async ({ context, resource }) => show(showImport(await confirmArrival(context, required(store), resource))),
  }),
  route({
    name: 'loadImport',
    summary: 'Load the file as it was checked; loading again after an interruption is safe',
    path: `${IMPORT}/load`,
    ...step(store),
    handle: async (call) => {
      refuseOpen(call.resource, call.faults);
      return advance(store, call, { step: 'load', fields: { touched: true } });
    },
  }),
  route({
    name: 'undoImport',
    summary: 'Take back what the import added and changed, and delete its file',
    path: `${IMPORT}/undo`,
    ...step(store),
    handle: async (call) => {
      await checkTakeBack(call);
      return advance(store, call, { step: 'undo', fields: {} });
    },
  }),
  route({
    name: 'showRejected',
    summary: 'Show the lines that the import rejected, as they came',
    method: 'GET',
    path: `${IMPORT}/rejected`,
    ...usual,
    csv: true,
    find: findIn(store),
    handle: async ({ context, resource: { upload } }): Promise<Reply> => {
      const { id, name } = upload;
      const rejected = await required(store).readRejected({ site: context.site.name, id, name });
      if (rejected === undefined) throw notFound(`list of rejected rows of import ${id}`);
      const ending = rejected.type === 'text/csv' ? 'csv' : 'ndjson';
      const headers = {
        'Content-Type': `${rejected.type}; charset=utf-8`,
        'Content-Disposition': `attachment; filename="import-${id}.rejected.${ending}"`,
      };
      return { status: 200, body: rejected.body, headers };
    },
  }),
];
