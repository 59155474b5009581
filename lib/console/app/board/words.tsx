import type { JSX } from 'preact';
import type { Goal, ShownWords } from '../../model/board/board.ts';
import { goalText } from '../../model/board/goal.ts';
import { textPieces } from '../../model/board/words.ts';
import type { Report } from '../../model/report/report.ts';
import { useDisplay } from '../context.tsx';

/** A heading of a board, or a plain text in which addresses are links. */
export const Words = ({ kind, words, wide }: Omit<ShownWords, 'key'>): JSX.Element =>
  kind === 'heading' ? (
    <h2 class="board-heading" dir="auto">
      {words}
    </h2>
  ) : (
    <section class={wide ? 'card wide' : 'card'}>
      <p class="board-text" dir="auto">
        {textPieces(words).map(({ text, href }, index) =>
          href === undefined ? (
            text
          ) : (
            <a key={index} href={href} target="_blank" rel="noreferrer noopener">
              {text}
            </a>
          ),
        )}
      </p>
    </section>
  );

interface GoalWordsProps {
  readonly report: Report;
  readonly goal: Goal;
  readonly isWhole: boolean; // whether the one number over all is judged
}

/** The goal of a tile, and whether it is kept, in words. */
export const GoalWords = ({ report, goal, isWhole }: GoalWordsProps): JSX.Element => (
  <p class="small goal-words">{goalText(report, goal, isWhole, useDisplay())}</p>
);
