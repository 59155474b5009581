import { mentionsRole, truthOf, wordMeaning } from '../../language/words.ts';
import type { FileColumn } from '../columns.ts';
import type { FileRole } from '../proposal.ts';
import {
  filledByWord,
  MANY,
  NEARLY_ALL,
  NEARLY_NONE,
  type ProposalDraft,
  share,
  textsIn,
  timeAt,
} from '../proposal-draft.ts';

/** What an entry says about a column and a role: the data shows it, or allows it, or casts a doubt on the name, or the data or the name forbids it. */
type Verdict = 'data' | 'likely' | 'doubt' | 'against';

/** An entry of the registry: what it looks at, for which roles, and why it says so. */
export interface RoleEvidence {
  readonly why: string; // continues "the column …"
  readonly roles: readonly FileRole[];
  readonly look: (column: FileColumn, draft: ProposalDraft, role: FileRole) => Verdict | undefined;
  readonly isBar?: boolean; // `against`: no cell can be read so, whoever says it
}

const TIMES: readonly FileRole[] = ['created', 'updated', 'replied', 'solved', 'closed', 'at'];
const DURATIONS: readonly FileRole[] = ['replied_after', 'solved_after'];
const ENDS: readonly FileRole[] = ['solved', 'closed'];
const FEW: readonly FileRole[] = ['status', 'direction', 'note', 'activity', 'priority', 'csat'];
const MEMBERS: readonly FileRole[] = ['assignee', 'actor', 'group', 'requester', 'submitter', 'company', 'channel'];

const LOOK = 200; // cells
const ROWS_OF_AN_ID = 100; // a case with more rows than these is none

/** How often each text stands in a list. */
function countBy(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const against = (isSo: boolean): Verdict | undefined => (isSo ? 'against' : undefined);

/** The registry of what speaks for or against a role, beside the column's name. */
export const ROLE_EVIDENCE: readonly RoleEvidence[] = [
  {
    why: 'holds no times',
    isBar: true,
    roles: TIMES,
    look: ({ times }) => against(times === undefined),
  },
  {
    why: 'holds no durations',
    isBar: true,
    roles: DURATIONS,
    look: ({ units }) => against(units.length === 0),
  },
  {
    why: 'holds times',
    roles: ['case', ...FEW, ...MEMBERS, 'labels', 'message', 'zone'],
    look: ({ times }) => against(times !== undefined),
  },
  {
    why: 'is empty',
    isBar: true,
    roles: [...TIMES, ...DURATIONS, 'case', ...FEW, ...MEMBERS, 'labels', 'message', 'zone'],
    look: ({ filled }) => against(filled === 0),
  },
  {
    why: 'speaks of a target by its name',
    roles: [...TIMES, ...DURATIONS, 'status'],
    look: ({ isDue, named }, _, role) =>
      against(isDue && !named.some((one) => one.role === role && one.level === 3 && !isEnd(role))),
  },
  {
    why: 'counts business hours',
    roles: [...DURATIONS, ...TIMES],
    look: ({ isBusiness }) => against(isBusiness),
  },
  {
    why: 'has too many different values',
    isBar: true,
    roles: FEW,
    look: ({ values }) => against(values === undefined),
  },
  {
    why: 'holds measured numbers or durations',
    roles: MEMBERS,
    look: (column, draft, role) => {
      const isWeak = !column.named.some((one) => one.role === role && one.level > 1);
      const texts = textsIn(draft, column).slice(0, LOOK);
      const isMeasured = (text: string): boolean => /^-?\d+[.,]\d+$|^\d+:\d\d(?::\d\d)?$/.test(text);
      return against(texts.length > 0 && ((isWeak && column.isNumber) || texts.every(isMeasured)));
    },
  },
  {
    why: 'has few values over many rows',
    roles: ['case'],
    look: ({ distinct, filled }) => against(filled >= ROWS_OF_AN_ID * distinct),
  },
  {
    why: 'is the same in nearly all rows, or later than all other times, as that of an export is',
    roles: ['replied', ...ENDS, 'updated'],
    look: (column, draft, role) => {
      if (column.times === undefined || column.filled < NEARLY_ALL * draft.rows || column.filled < MANY)
        return undefined;
      if (column.named.some((one) => one.role === role && one.level > 1)) return undefined;
      const texts = textsIn(draft, column);
      const most = [...countBy(texts).values()].reduce((a, b) => Math.max(a, b), 0);
      const others = draft.columns.filter((one) => one.times !== undefined && one !== column && !one.isDue);
      let [first, last] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let row = 0; row < draft.rows; row += 1) {
        const at = timeAt(draft, column, row);
        if (at < first) first = at;
        for (const other of others) {
          const then = timeAt(draft, other, row);
          if (then > last || (last === Number.POSITIVE_INFINITY && then > 0)) last = then;
        }
      }
      return against(most >= 0.9 * texts.length || (draft.isOrderSure && first > last));
    },
  },
  {
    why: 'is empty in some rows',
    roles: ['created', 'at', 'case'],
    look: ({ filled }, { rows }) => against(filled < 0.8 * rows),
  },
  {
    why: 'lies before the creation',
    roles: ['replied', ...ENDS, 'updated'],
    look: (column, draft) => {
      const created = draft.taken.get('created');
      if (created === undefined || !draft.isOrderSure || areOfOtherZones(column, created)) return undefined;
      const { of, part } = share(
        draft,
        both(draft, column, created),
        (row) => timeAt(draft, column, row) + DAY_PART(column, created) < timeAt(draft, created, row),
      );
      return against(of > 0 && part > NEARLY_NONE);
    },
  },
  {
    why: 'is always the same time after the creation, as a target is',
    roles: ['replied', ...ENDS],
    look: (column, draft, role) => {
      const created = draft.taken.get('created');
      if (created === undefined) return undefined;
      const distances = new Map<number, number>();
      let of = 0;
      for (let row = 0; row < draft.rows; row += 1) {
        const distance = timeAt(draft, column, row) - timeAt(draft, created, row);
        if (Number.isNaN(distance)) continue;
        of += 1;
        const minutes = Math.round(distance / 60_000_000);
        if (minutes !== 0) distances.set(minutes, (distances.get(minutes) ?? 0) + 1);
      }
      const isSteady = of >= MANY && Math.max(0, ...distances.values()) >= 0.9 * of;
      if (!isSteady || column.filled < NEARLY_ALL * draft.rows) return undefined;
      return role !== 'replied' && isAllDone(draft) ? undefined : 'doubt';
    },
  },
  {
    why: 'is filled for open cases too, as a target is',
    roles: ENDS,
    look: (column, draft) => {
      const status = draft.taken.get('status');
      if (status === undefined) return undefined;
      const isOpen = (row: number): boolean => {
        const said = wordMeaning('status', status.cell(row));
        return said?.exact === true && isOpenMeaning(said.is);
      };
      const isFilled = (row: number): boolean => column.cell(row) !== '';
      const [open, all] = [share(draft, isOpen, isFilled), share(draft, () => true, isFilled)];
      return against(open.of >= 2 && open.part >= 0.8 && all.part >= 0.8); // else the words may say the opposite
    },
  },
  {
    why: 'comes after the end of the case',
    roles: ['replied'],
    look: (column, draft) => {
      const end = draft.taken.get('solved') ?? draft.taken.get('closed');
      if (end === undefined || !draft.isOrderSure) return undefined;
      const { of, part } = share(
        draft,
        both(draft, column, end),
        (row) => timeAt(draft, column, row) > timeAt(draft, end, row) + DAY_PART(column, end),
      );
      return against(of >= MANY && part > 0.5);
    },
  },
  {
    why: 'is filled for all cases of some statuses, and for none of the others',
    roles: ['solved'],
    look: (column, draft) => {
      const status = draft.taken.get('status');
      if (status?.values === undefined || column.times === undefined || column.isDue) return undefined;
      const parts = [...status.values.keys()].map((value) => {
        const said = wordMeaning('status', value);
        const isOf = (row: number): boolean => status.cell(row) === value;
        return { said, ...share(draft, isOf, (row) => column.cell(row) !== '') };
      });
      const isFull = ({ part }: { readonly part: number }): boolean => part >= NEARLY_ALL;
      const isBare = ({ part }: { readonly part: number }): boolean => part <= NEARLY_NONE;
      const many = parts.filter(({ of }) => of >= MANY);
      if (!many.some(isFull) || !many.some(isBare) || !many.every((one) => isFull(one) || isBare(one)))
        return undefined;
      const agrees = (one: (typeof parts)[number]): boolean =>
        one.said?.exact !== true || one.of === 0 || (isOpenMeaning(one.said.is) ? isBare(one) : isFull(one));
      return many.every(agrees) ? 'data' : undefined;
    },
  },
  {
    why: 'holds words of statuses',
    roles: ['status'],
    look: ({ values, times }) => {
      if (values === undefined || times !== undefined || values.size < 2) return undefined;
      let [rows, known] = [0, 0];
      for (const [value, count] of values) {
        rows += count;
        if (wordMeaning('status', value)?.exact) known += count;
      }
      return rows >= MANY && known >= 0.6 * rows ? 'data' : undefined;
    },
  },
  {
    why: 'has an unknown name, and lies between the creation and the end',
    roles: ['replied'],
    look: (column, draft) => {
      const created = draft.taken.get('created');
      if (created === undefined || column.times === undefined || column.named.length > 0 || column.isDue)
        return undefined;
      const status = draft.taken.get('status');
      const filled = status && filledByWord(draft, column, status);
      if (filled && filled.done.part >= NEARLY_ALL && filled.open.of > 1 && filled.open.part <= 0.5) return undefined; // an end
      const { of, part } = share(
        draft,
        both(draft, column, created),
        (row) => timeAt(draft, column, row) > timeAt(draft, created, row),
      );
      return of >= MANY && part >= NEARLY_ALL ? 'likely' : undefined;
    },
  },
  {
    why: 'names a direction, and holds true and false',
    roles: ['direction'],
    look: ({ name, values, times }) => {
      if (times !== undefined || values === undefined || values.size === 0) return undefined;
      const said = wordMeaning('direction', name.replace(/^is[_ ]/i, ''));
      const isSide = said?.exact === true && (said.is === 'inbound' || said.is === 'outbound');
      return isSide && [...values.keys()].every((value) => truthOf(value) !== undefined) ? 'data' : undefined;
    },
  },
  {
    why: 'has an unknown name, and marks some messages of one side and none of the other',
    roles: ['note'],
    look: (column, draft) => {
      const told = draft.taken.get('direction') ?? draft.taken.get('activity');
      const isMark = column.values !== undefined && column.values.size <= 2 && column.times === undefined;
      if (told?.values === undefined || !isMark || column === told || column.named.length > 0) return undefined;
      const kinds = [...told.values.keys()].map((value) => {
        const rows = share(
          draft,
          (row) => told.cell(row) === value,
          () => true,
        );
        const marks = new Set<string>();
        for (let row = 0; row < draft.rows; row += 1) if (told.cell(row) === value) marks.add(column.cell(row));
        return { isMany: rows.of >= MANY, isMixed: marks.size > 1, mayBeSent: isSent(told, value) };
      });
      const isNote = kinds.some(({ isMixed, mayBeSent }) => isMixed && mayBeSent);
      return isNote && kinds.some(({ isMany, isMixed }) => isMany && !isMixed) ? 'likely' : undefined;
    },
  },
];

/** Whether a direction or an activity may be a message to the customer. */
function isSent(column: FileColumn, value: string): boolean {
  const role = mentionsRole(column, 'activity') ? 'activity' : 'direction';
  const said = wordMeaning(role, value);
  return said === undefined || said.is === 'outbound';
}

const areOfOtherZones = (a: FileColumn, b: FileColumn): boolean =>
  a.zone !== b.zone && (a.hasOtherZone || b.hasOtherZone || (a.zone !== undefined && b.zone !== undefined));
const isEnd = (role: FileRole): boolean => ENDS.includes(role) || role === 'replied';
/** Whether the words of all statuses say done. */
function isAllDone(draft: ProposalDraft): boolean {
  const status = draft.taken.get('status');
  const words = [...(status?.values?.keys() ?? [])].map((value) => wordMeaning('status', value));
  return words.length > 0 && words.every((said) => said?.exact === true && !isOpenMeaning(said.is));
}
const isOpenMeaning = (is: unknown): boolean => is === 'new' || is === 'open' || is === 'pending';
const both =
  (draft: ProposalDraft, a: FileColumn, b: FileColumn) =>
  (row: number): boolean =>
    !Number.isNaN(timeAt(draft, a, row)) && !Number.isNaN(timeAt(draft, b, row));
/** A column of days may lie before the time of the same day. */
const DAY_PART = (a: FileColumn, b: FileColumn): number =>
  a.times?.isOfDays === b.times?.isOfDays ? 0 : 86_400_000_000;
