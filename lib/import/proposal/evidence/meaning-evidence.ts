import {
  isExternalWord,
  isInternalWord,
  isPublicWord,
  possibleDirections,
  truthOf,
  wordMeaning,
} from '../../language/words.ts';
import type { FileColumn } from '../columns.ts';
import type { Meaning, MeaningRole } from '../proposal.ts';
import { MANY, type ProposalDraft } from '../proposal-draft.ts';

/** What the rows of one value show. */
export interface ValueRows {
  readonly value: string;
  readonly rows: number; // of the survey
  readonly ended: number; // rows with a time of their end
  readonly begins: number; // cases whose first row has the value
  readonly inbound: number; // rows that are known as a customer's
}

/** A column of values with what its rows show together. */
export interface ValueContext {
  readonly draft: ProposalDraft;
  readonly column: FileColumn;
  readonly cases: number; // of the survey; 0 if rows are cases
  readonly all: readonly ValueRows[];
}

/** A reading of a value: by the data, by its exact word, or by words that it contains. */
export interface Reading {
  readonly is: Meaning;
  readonly by: 'data' | 'word' | 'part';
}

/** An entry of the registry: what it looks at to say what a value means. */
export interface MeaningEvidence {
  readonly role: MeaningRole;
  readonly why: string;
  readonly look: (value: ValueRows, seen: ValueContext) => Reading | undefined;
}

const isDoneShare = ({ rows, ended }: ValueRows): boolean => ended >= 0.95 * rows;
const isOpenShare = ({ rows, ended }: ValueRows): boolean => ended <= 0.05 * rows;

/** The numbers of Freshdesk's interface for statuses: 6 and 7 wait for the customer and for others. */
const FRESHDESK_STATUSES: Readonly<Record<string, Meaning>> = {
  ...{ 2: 'open', 3: 'pending', 4: 'resolved', 5: 'closed', 6: 'pending', 7: 'pending' },
};
const OF_FRESHDESK = ['fr_due_by', 'fr_escalated', 'responder_id', 'is_escalated', 'email_config_id', 'fwd_emails'];

/** Whether a file has columns that Freshdesk's interface alone has. */
export const isOfFreshdesk = ({ survey }: ProposalDraft): boolean =>
  survey.header.filter((name) => OF_FRESHDESK.includes(name.trim().toLowerCase())).length > 1;

/** Whether the times of ends tell values apart: they are filled for one value, and empty for another. */
export function hasContrast({ all }: Pick<ValueContext, 'all'>): boolean {
  const many = all.filter(({ rows }) => rows >= MANY);
  return many.some(isDoneShare) && many.some(isOpenShare);
}

const byWord = (role: Exclude<MeaningRole, 'note'>): MeaningEvidence => ({
  role,
  why: 'by its words',
  look: ({ value }) => {
    const said = wordMeaning(role, value);
    return said && { is: said.is, by: said.exact ? 'word' : 'part' };
  },
});

/** The registry of what values mean: the data first. */
export const MEANING_EVIDENCE: readonly MeaningEvidence[] = [
  {
    role: 'status',
    why: 'nearly all of its rows have a time of their end, and rows of others have none',
    look: (value, seen) =>
      hasContrast(seen) && value.rows >= MANY && isDoneShare(value) ? { is: 'resolved', by: 'data' } : undefined,
  },
  {
    role: 'status',
    why: 'nearly none of its rows has a time of its end, and rows of others have one',
    look: (value, seen) =>
      hasContrast(seen) && value.rows >= MANY && isOpenShare(value) ? { is: 'open', by: 'data' } : undefined,
  },
  {
    role: 'status',
    why: 'it is a number of Freshdesk, whose columns stand beside it',
    look: ({ value }, { draft }) => {
      const is = isOfFreshdesk(draft) ? FRESHDESK_STATUSES[value] : undefined;
      return is === undefined ? undefined : { is, by: 'word' };
    },
  },
  byWord('status'),
  {
    role: 'direction',
    why: 'its rows begin the cases',
    look: ({ begins }, { cases }) =>
      cases >= MANY && begins >= 0.9 * cases ? { is: 'inbound', by: 'data' } : undefined,
  },
  {
    role: 'direction',
    why: 'it answers the only value that begins cases',
    look: (value, { cases, all }) => {
      const isAnswered = cases >= MANY && all.some(({ begins }) => begins >= 0.9 * cases);
      return isAnswered && all.length === 2 && value.rows >= MANY && value.begins <= 0.05 * cases
        ? { is: 'outbound', by: 'data' }
        : undefined;
    },
  },
  byWord('direction'),
  {
    role: 'direction',
    why: 'the name of the column says what true and false mean',
    look: ({ value }, { column }) => {
      const truth = truthOf(value);
      const named = truth === undefined ? undefined : wordMeaning('direction', column.name.replace(/^is[_ ]/i, ''));
      if (named === undefined || (named.is !== 'inbound' && named.is !== 'outbound')) return undefined;
      const other = named.is === 'inbound' ? 'outbound' : 'inbound';
      return { is: truth ? named.is : other, by: 'word' };
    },
  },
  {
    role: 'direction',
    why: 'the other value is the other side',
    look: ({ value }, { all }) => {
      const possible = possibleDirections(value);
      if (!possible.has('inbound') || !possible.has('outbound')) return undefined;
      const others = all.filter((one) => one.value !== value).map((one) => wordMeaning('direction', one.value));
      const has = (side: string): boolean => others.some((said) => said?.exact === true && said.is === side);
      if (has('inbound') === has('outbound')) return undefined;
      return { is: has('inbound') ? 'outbound' : 'inbound', by: 'word' };
    },
  },
  {
    role: 'note',
    why: 'the messages of customers have it, and they write no notes',
    look: ({ inbound }, { all }) => {
      const known = all.reduce((sum, one) => sum + one.inbound, 0);
      return known >= MANY && inbound >= 0.95 * known ? { is: false, by: 'data' } : undefined;
    },
  },
  {
    role: 'note',
    why: 'no message of a customer has it, and all of them have the other value',
    look: ({ inbound }, { all }) => {
      const known = all.reduce((sum, one) => sum + one.inbound, 0);
      return all.length === 2 && known >= MANY && inbound <= 0.05 * known ? { is: true, by: 'data' } : undefined;
    },
  },
  {
    role: 'note',
    why: 'by its words',
    look: ({ value }, { column }) => {
      const truth = truthOf(value);
      const [isPublic, isNamed] = [isPublicWord(column.name), column.named.length > 0];
      if (truth !== undefined) return isPublic || isNamed ? { is: isPublic ? !truth : truth, by: 'word' } : undefined;
      if (isPublicWord(value) || isExternalWord(value)) return { is: false, by: 'word' };
      return wordMeaning('direction', value)?.is === 'note' || isInternalWord(value)
        ? { is: true, by: 'word' }
        : undefined;
    },
  },
  byWord('activity'),
  byWord('priority'),
  byWord('csat'),
];
