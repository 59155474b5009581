import * as z from 'zod';
import { maySettle } from '../access/authority.ts';
import type { Principal } from '../access/principal.ts';
import type { Question } from '../import/proposal/proposal.ts';
import type { AccessChange, AccessGuard } from '../import/reference/access.ts';
import type { Table } from '../store/table.ts';
import type { UploadChoices } from './shapes.ts';

/** The id of the question about users and settings. */
export const ACCESS = 'access';

const MOST = 200; // changes of an import: a person reads them one by one

const answers = z.record(z.string(), z.boolean());

/** What was said of changes so far, by their texts; undefined if an answer is of another form. */
export function accessAnswers(given: UploadChoices['answers']): Readonly<Record<string, boolean>> | undefined {
  return answers.safeParse(given?.[ACCESS] ?? {}).data;
}

const KEPT =
  "an import over HTTP changes nobody's role, login or removal, and no setting of the site, unless an Administrator says so; support user set and site set do, and an import by the command line";
const TOO_MANY = `an import over HTTP changes at most ${MOST} users and settings: import the file by the command line`;

/** Where consents are checked, and by which clock changes are noted. */
interface ConsentPlace extends Pick<AccessGuard, 'clock' | 'newId'> {
  readonly table: Table;
  readonly site: { readonly name: string };
}

/**
 * The choices without the consents of who may not give them any more: whose login was removed, even if it was made
 * again, or who is no Administrator now. Those changes are asked about again.
 */
export async function withGoodConsents(
  { table, site }: Pick<ConsentPlace, 'table' | 'site'>,
  given: UploadChoices,
): Promise<{ readonly given: UploadChoices; readonly lapsed: readonly string[] }> {
  const said = accessAnswers(given.answers) ?? {};
  const lapsed: string[] = [];
  for (const [text, isWanted] of Object.entries(said))
    if (isWanted && !(await maySettle(table, site.name, given.agreed?.[text]))) lapsed.push(text);
  if (lapsed.length === 0) return { given, lapsed };
  const kept = Object.fromEntries(Object.entries(said).filter(([text]) => !lapsed.includes(text)));
  return { given: { ...given, answers: { ...given.answers, [ACCESS]: kept } }, lapsed };
}

/** The guard of a check, which writes nothing: takes what nobody refused, and asks for what nobody agreed to. */
export function checkingGuard(
  { answers: given }: UploadChoices,
  { clock, newId }: ConsentPlace,
): AccessGuard & { readonly questions: () => readonly Question[] } {
  const said = accessAnswers(given) ?? {};
  const open = new Map<string, number>();
  const seen = new Set<string>();
  return {
    clock,
    newId,
    isFree: false,
    actorOf: () => 'service',
    decide: async ({ text }) => {
      if (said[text] === false) return KEPT;
      if (!seen.has(text) && seen.size === MOST) return TOO_MANY;
      seen.add(text);
      if (said[text] === undefined) open.set(text, (open.get(text) ?? 0) + 1);
      return undefined;
    },
    questions: () => (open.size === 0 ? [] : [questionOf(open)]),
  };
}

const questionOf = (open: ReadonlyMap<string, number>): Question => ({
  id: ACCESS,
  about: ACCESS,
  text: 'The file changes who may do what, or settings of the site. An Administrator says which changes are taken.',
  values: [...open].map(([value, rows]) => ({ value, rows, proposed: false })),
  choices: [
    { answer: false, text: 'Leave it as it is' },
    { answer: true, text: 'Take the change' },
  ],
  proposed: null,
});

/**
 * The guard of a load: takes what an Administrator agreed to who is one still, in the name of who agreed; `note` keeps
 * each change before it is made.
 */
export function loadingGuard(
  { answers: given, agreed = {} }: UploadChoices,
  { table, site, clock, newId }: ConsentPlace,
  note: (change: AccessChange) => Promise<void>,
): AccessGuard {
  const said = accessAnswers(given) ?? {};
  const actorOf = ({ text }: Pick<AccessChange, 'text'>): Principal => {
    const actor = agreed[text];
    if (actor === undefined) throw new Error(`nobody agreed to ${text}`);
    return actor;
  };
  return {
    clock,
    newId,
    isFree: false,
    actorOf,
    decide: async (change) => {
      if (said[change.text] !== true) return KEPT;
      if (!(await maySettle(table, site.name, agreed[change.text]))) return KEPT;
      await note(change);
      return undefined;
    },
  };
}
