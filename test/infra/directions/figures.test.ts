import { readFileSync } from 'node:fs';
import { MOST_EVENTS } from '../../../lib/history/cases/most-events.ts';
import { FRESH_SEGMENTS } from '../../../lib/history/compact.ts';
import { REPLY_LIMIT } from '../../../lib/http/reply.ts';
import { USUAL_CASES } from '../../../lib/insights/cases/case-request.ts';
import { COLLECTION_LIMITS } from '../../../lib/store/bounds.ts';
import { LARGEST_REJECTED } from '../../../lib/uploads/upload-store.ts';

const MIB = 1024 * 1024;
const HOUR = 3_600_000; // ms

/** A constant that a file keeps to itself: a product of numbers, names of units among them. */
function kept(file: string, name: string, units: Readonly<Record<string, number>> = {}): number {
  const source = readFileSync(file, 'utf8');
  const [, product] = new RegExp(`\\b${name}(?: = |: )(\\d[\\w *]*)[;,} ]`).exec(source) ?? [];
  const factors = (product ?? '').trim().split(' * ');
  return factors.reduce((all, factor) => all * (units[factor] ?? Number(factor.replaceAll('_', ''))), 1);
}

const BODY = 'infra/local/server/body.ts';

/** A figure that a document repeats: `{}` in its sentence stands for the number in the code. */
const FIGURES: readonly (readonly [file: string, sentence: string, ...numbers: number[]])[] = [
  [
    'docs/interface.md',
    'at most {} MiB, {} levels deep',
    kept('lib/http/dispatch.ts', 'LARGEST_BODY') / MIB,
    kept('lib/http/fields.ts', 'DEEPEST'),
  ],
  ['docs/interface.md', 'and {} elements in a list of a field', kept('lib/http/fields.ts', 'MOST_ELEMENTS')],
  [
    'docs/interface.md',
    'a body that stops for {} s, or takes longer than {} s',
    kept(BODY, 'silence') / 1000,
    kept(BODY, 'whole') / 1000,
  ],
  ['docs/interface.md', '({} MiB for all, {} for a', kept(BODY, 'all', { MB: 1 }), kept(BODY, 'site', { MB: 1 })],
  ['docs/interface.md', '`per_page` {} by default', kept('lib/http/page.ts', 'DEFAULT_SIZE')],
  ['docs/interface.md', 'more is taken as {}', kept('lib/http/page.ts', 'LARGEST_SIZE')],
  [
    'docs/interface.md',
    'at most {} topics, {} macros, {} saved reports, {} boards',
    COLLECTION_LIMITS.topics,
    COLLECTION_LIMITS.macros,
    COLLECTION_LIMITS['saved reports'],
    COLLECTION_LIMITS.boards,
  ],
  ['docs/interface.md', 'a macro {} actions', COLLECTION_LIMITS.actions],
  ['docs/interface.md', 'would be over {} MB is refused', REPLY_LIMIT / 1e6],
  ['docs/interface.md', 'the first {} MB of them', LARGEST_REJECTED / 1e6],
  [
    'docs/interface.md',
    '{} days without use instead of {} hours',
    kept('lib/access/tokens.ts', 'KEPT_SESSION', { HOUR }) / (24 * HOUR),
    kept('lib/access/tokens.ts', 'SESSION', { HOUR }) / HOUR,
  ],
  [
    'docs/import.md',
    'a case of more than {} events, an agent of more than {} sessions',
    MOST_EVENTS.case,
    MOST_EVENTS.agent,
  ],
  ['docs/design/history.md', 'at most {} million facts a pass', kept('lib/history/compact.ts', 'FACTS_AT_ONCE') / 1e6],
  [
    'docs/design/history.md',
    'more than {} and a quarter of the settled ones, or fresh facts more than {} and',
    FRESH_SEGMENTS,
    kept('lib/history/compact.ts', 'FRESH_FACTS'),
  ],
  ['docs/design/import.md', 'when it is {} rows ahead', kept('infra/local/threads/rows-thread.ts', 'AHEAD')],
  ['docs/insights.md', 'A reply over {} MB is refused', REPLY_LIMIT / 1e6],
  [
    'docs/insights.md',
    'more than {} events, or whose story takes more than {} MB',
    kept('lib/insights/cases/story.ts', 'MOST_EVENTS'),
    REPLY_LIMIT / 1e6,
  ],
  ['docs/insights.md', '`per_page` is {}, and at most', USUAL_CASES],
  [
    'docs/console.md',
    '{} hours without use end it, or {} days',
    kept('lib/access/tokens.ts', 'SESSION', { HOUR }) / HOUR,
    kept('lib/access/tokens.ts', 'KEPT_SESSION', { HOUR }) / (24 * HOUR),
  ],
];

it.each(FIGURES.map(([file, sentence, ...numbers]) => ({ file, sentence, numbers })))(
  'repeats the figures of the code in $file: $sentence',
  ({ file, sentence, numbers }) => {
    const left = [...numbers];
    const expected = sentence.replaceAll('{}', () => left.shift()?.toLocaleString('en-US') ?? '');
    const text = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
    expect(text.replaceAll(/(\d)(?=(\d{3})+\b(?!,))/g, '$1,')).toContain(expected);
  },
);
