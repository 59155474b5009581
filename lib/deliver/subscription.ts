import * as z from 'zod';
import { R_INSIGHTS } from '../access/roles.ts';
import { BOARDS } from '../insights/saved/board.ts';
import { SAVED_REPORTS } from '../insights/saved/saved-report.ts';
import { refOrNull, type ThingOf, word } from '../resource/field.ts';
import { below, resource } from '../resource/resource.ts';
import { thingsIn } from '../resource/storing.ts';
import { keys, members } from '../store/keys.ts';
import { WEEK_DAYS } from '../vocabulary.ts';
import { isOwn, ownedBy, ownedFields } from './owned.ts';

/** Subscriptions: a board or a saved report that is mailed regularly. */
export const SUBSCRIPTIONS = resource({
  one: 'subscription',
  path: '/api/v2/subscriptions',
  storing: thingsIn(keys.subscriptions, members.subscription),
  roles: R_INSIGHTS,
  isFor: isOwn,
  links: { mail: below('mail') },
  fields: {
    board: refOrNull(BOARDS, 'Id of a board; it or `saved_report`'),
    saved_report: refOrNull(SAVED_REPORTS),
    every: word(['day', 'week', 'month'], { required: true }),
    weekday: word(WEEK_DAYS, { usual: 'monday' }, 'If `every` is `week`; monday if absent'),
    day: {
      stored: z.int(),
      usual: 1,
      body: z
        .int('invalid')
        .min(1, 'invalid')
        .max(31, 'invalid')
        .meta({ description: 'If `every` is `month`; a shorter month has its last day; 1 if absent' }),
      shown: () => z.int(),
    },
    ...ownedFields(),
  },
  writes: {
    limit: 'subscriptions',
    roles: R_INSIGHTS,
    deletes: true,
    examples: [
      { board: 9, every: 'week', weekday: 'monday', at: '07:30', recipients: ['ann@acme.example'] },
      { at: '08:00' },
    ],
    rule: async (asked) => {
      const { before, sent, faults } = asked;
      const owned = await ownedBy(asked, ['every', 'weekday', 'day', 'at', 'enabled']);
      // One that is named takes the place of the other.
      const board = sent.board ?? (sent.saved_report || sent.board === null ? null : (before?.board ?? null));
      const report =
        sent.saved_report ?? (sent.board || sent.saved_report === null ? null : (before?.saved_report ?? null));
      if ((board === null) === (report === null)) {
        const message = 'A subscription sends one thing: give the id of a `board` or of a `saved_report`.';
        faults.explain(board === null ? 'blank' : 'invalid', ['saved_report'], { message });
      }
      return { board, saved_report: report, ...owned };
    },
  },
});

export type Subscription = ThingOf<typeof SUBSCRIPTIONS.fields>;
