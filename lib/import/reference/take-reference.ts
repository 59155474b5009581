import { addTo } from '../../group-by.ts';
import type { Erasures } from '../../history/cases/erasing.ts';
import { takeActions, takeMacros } from '../../macros/records.ts';
import type { Refusals } from '../../resource/records.ts';
import type { ReferenceKind } from '../../store/keys.ts';
import { takeArticles } from '../../topics/articles/records.ts';
import type { RecordOf, ReferenceRecord } from '../records/reference-record.ts';
import type { ReferenceTarget } from './access.ts';
import { withoutErasedNames } from './erased-record.ts';
import { importAgents } from './guarded-agents.ts';
import type { MemberRecord, MemberRecordKind } from './member.ts';
import { importMembers } from './member-records.ts';
import { inMillis, type RecordLine, type Refusal } from './record-line.ts';
import { importSite } from './site.ts';
import { articleOf, takeArticleTranslations, takeTopics, takeTranslations } from './topics.ts';

/** Waiting members are written when they are so many, or have so many characters of text. */
const WAITING = { records: 2_000, characters: 8_000_000 };
/** Largest id of topics, macros and actions: new ones get ids above the largest so far, so there must be room. */
const LAST_ID = 2 ** 52;

/** Imports reference records, many at a time. */
export interface ReferenceImport {
  /** Adds a record; returns a promise to await if waiting records are being written. */
  readonly add: (record: ReferenceRecord, line: number) => Promise<void> | undefined;
  /** Writes all waiting records. By then `refused` has been called for every record that was refused. */
  readonly flush: () => Promise<void>;
}

/**
 * Starts an import of reference records. Topics, translations, macros and actions are written only by `flush`, so that
 * a translation may come before its topic; members are written as they come.
 */
export function importReferences(
  target: ReferenceTarget,
  refused: (refusal: Refusal) => void,
  erasures: Erasures | undefined,
): ReferenceImport {
  const waiting = new Map<ReferenceKind, RecordLine<RecordOf<ReferenceKind>>[]>();
  const last: RecordLine<LastRecord>[] = [];
  let count = 0;
  let characters = 0;

  async function writeMembers(): Promise<void> {
    const all = [...waiting];
    waiting.clear();
    count = 0;
    characters = 0;
    for (const [kind, records] of all) {
      const articles = records.filter((one) => isOf(one, 'article'));
      if (kind === 'article') await takeAll(articles, (some) => takeArticles(target, some.map(articleOf)), refused);
      else for (const refusal of await takeMembers(target, kind, records.filter(isMember))) refused(refusal);
    }
  }

  function wait(kind: ReferenceKind, record: RecordOf<ReferenceKind>, line: number): Promise<void> | undefined {
    addTo(waiting, kind, { record, line });
    count += 1;
    if (record.type === 'article') characters += record.body?.length ?? 0;
    return count >= WAITING.records || characters >= WAITING.characters ? writeMembers() : undefined;
  }

  return {
    add: (given, line) => {
      const record = withoutErasedNames(given, erasures);
      if (record === undefined) return undefined;
      switch (record.type) {
        case 'site':
          return importSite(target, record).then((reason) => {
            if (reason !== undefined) refused({ line, reason });
          });
        case 'topic':
        case 'topic_translation':
        case 'article_translation':
        case 'macro':
        case 'macro_action':
          last.push({ record, line });
          return undefined;
        default:
          return wait(record.type, record, line);
      }
    },
    flush: async () => {
      await writeMembers();
      const all = last.splice(0);
      // Topics are inserted by rising position, so each ends at the position that its record names.
      const topics = ofType(all, 'topic').sort(
        (a, b) => (a.record.position ?? Infinity) - (b.record.position ?? Infinity) || a.line - b.line,
      );
      await takeAll(withRoom(topics, refused), (some) => takeTopics(target, some), refused);
      await takeAll(ofType(all, 'topic_translation'), (some) => takeTranslations(target, some), refused);
      await takeAll(ofType(all, 'article_translation'), (some) => takeArticleTranslations(target, some), refused);
      const macros = withRoom(ofType(all, 'macro'), refused);
      await takeAll(macros, (some) => takeMacros(target, some.map(inMillis)), refused);
      const actions = withRoom(ofType(all, 'macro_action'), refused);
      await takeAll(actions, (some) => takeActions(target, some.map(actionOf)), refused);
    },
  };
}

type LastRecord = RecordOf<'topic' | 'topic_translation' | 'article_translation' | 'macro' | 'macro_action'>;

const isOf = <T extends ReferenceRecord['type']>(
  line: RecordLine<ReferenceRecord>,
  type: T,
): line is RecordLine<RecordOf<T>> => line.record.type === type;
const isMember = (line: RecordLine<RecordOf<ReferenceKind>>): line is RecordLine<MemberRecord> =>
  !isOf(line, 'article');

const ofType = <T extends LastRecord['type']>(all: readonly RecordLine<LastRecord>[], type: T) =>
  all.filter((one): one is RecordLine<LastRecord> & RecordLine<RecordOf<T>> => isOf(one, type));

/** An action, whose record calls its own type `action`. */
const actionOf = ({ action, ...record }: RecordOf<'macro_action'>) => ({
  ...inMillis(record),
  ...(action !== undefined && { type: action }),
});

function takeMembers(
  target: ReferenceTarget,
  kind: MemberRecordKind,
  records: readonly RecordLine<MemberRecord>[],
): Promise<readonly Refusal[]> {
  return kind === 'agent' ? importAgents(target, records) : importMembers(target, kind, records);
}

/** The records whose ids leave room for further ones; the others are refused. */
const withRoom = <R extends { readonly id: number }>(
  lines: readonly RecordLine<R>[],
  refused: (refusal: Refusal) => void,
): readonly RecordLine<R>[] =>
  lines.filter(({ record: { id }, line }) => {
    if (id > LAST_ID) refused({ line, reason: `id: ${id} is too large; the largest is ${LAST_ID}` });
    return id <= LAST_ID;
  });

async function takeAll<R>(
  lines: readonly RecordLine<R>[],
  take: (records: readonly R[]) => Promise<Refusals>,
  refused: (refusal: Refusal) => void,
): Promise<void> {
  const reasons = await take(lines.map(({ record }) => record));
  for (const [index, { line }] of lines.entries()) {
    const reason = reasons[index];
    if (reason !== undefined) refused({ line, reason });
  }
}

/** The order of types in which some need records of another; all types that are not listed come first. */
const RANKS: ReadonlyMap<ReferenceRecord['type'], number> = new Map([
  ['topic', 1],
  ['article_translation', 1],
  ['topic_translation', 2],
  ['macro', 3],
  ['macro_action', 4],
]);

/** Sorts records for writing one by one: a topic before its translations, a macro before its actions. */
export function parentsFirst<T extends { readonly record: ReferenceRecord }>(all: readonly T[]): readonly T[] {
  const rank = ({ record }: T): number => RANKS.get(record.type) ?? 0;
  return [...all].sort((a, b) => rank(a) - rank(b));
}

/** Writes one reference record, for live messages. Returns the reason if it is refused. */
export async function takeReference(
  target: ReferenceTarget,
  record: ReferenceRecord,
  erasures: Erasures | undefined,
): Promise<string | undefined> {
  let refusal: string | undefined;
  const note = ({ reason }: Refusal): void => {
    refusal = reason;
  };
  const references = importReferences(target, note, erasures);
  await references.add(record, 1);
  await references.flush();
  return refusal;
}
