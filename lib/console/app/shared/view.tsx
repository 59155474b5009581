import type { JSX } from 'preact';
import { sectionsOf } from '../../model/board/board.ts';
import type { SharedBoard, SharedTile } from '../../model/board/shared-board.ts';
import { emptyText } from '../../model/names.ts';
import { datesText } from '../../model/report/report.ts';
import { boardText } from '../../model/text/board-text.ts';
import { text } from '../../model/text/text.ts';
import { NumberFigure } from '../board/view.tsx';
import { GoalWords, Words } from '../board/words.tsx';
import { useDisplay } from '../context.tsx';
import { CoveredLine } from '../covered.tsx';
import { Drawing } from '../report/chart.tsx';
import { ReportTable } from '../report/table.tsx';
import { Empty } from '../ui/ui.tsx';

/** A board to look at: no link leads from its numbers to anything. */
export function SharedView({ board }: { readonly board: SharedBoard }): JSX.Element {
  const { name, at, tiles } = board;
  const sections = sectionsOf(tiles.map(layoutOfShared));
  return (
    <div class="page">
      <header class="page-head">
        <h1 dir="auto">{name}</h1>
      </header>
      <CoveredLine
        reports={tiles.flatMap(({ report }) => report ?? [])}
        at={Date.parse(at)}
        fields={[...new Set(tiles.flatMap(({ report }) => report?.fields ?? []))]}
      />
      {tiles.length === 0 && <Empty title={boardText.shared.empty} hint="" />}
      {sections.map((section) => {
        const shown = section.flatMap((index) => tiles[index] ?? []);
        const isNumbers = shown[0] !== undefined && layoutOfShared(shown[0]) === 'number';
        return (
          <section key={section[0]} class={isNumbers ? 'tiles' : 'cards'}>
            {shown.map((tile, index) =>
              tile.heading !== undefined || tile.text !== undefined ? (
                <Words key={section[index]} {...wordsOf(tile)} />
              ) : isNumbers ? (
                <NumberTile key={section[index]} tile={tile} />
              ) : (
                <Card key={section[index]} tile={tile} place={(section[index] ?? 0) + 1} />
              ),
            )}
          </section>
        );
      })}
    </div>
  );
}

const wordsOf = ({ heading, text: words = '', width }: SharedTile) =>
  ({ kind: heading === undefined ? 'text' : 'heading', words: heading ?? words, wide: width === 2 }) as const;

const layoutOfShared = ({ heading, text: words, shown_as }: SharedTile) => {
  if (heading !== undefined) return 'heading';
  return words === undefined && shown_as === 'number' ? 'number' : 'card';
};

function NumberTile({ tile: { title, width, report, note, goal } }: { readonly tile: SharedTile }): JSX.Element {
  const { names, format, definitions } = useDisplay();
  return (
    <article class={width === 2 ? 'tile wide' : 'tile'}>
      {report === null && (
        <>
          <h2 dir="auto">{title}</h2>
          <p class="quiet small">{note}</p>
        </>
      )}
      {report?.fields.map((field, index) => (
        <div key={field}>
          <h2 dir="auto">{(report.fields.length === 1 && title) || names.field(field)}</h2>
          <p class="quiet small">{datesText(report, format, definitions?.site.time_zone)}</p>
          <NumberFigure field={field} index={index} report={report} state={undefined} failed={false} />
          {goal && index === 0 && <GoalWords report={report} goal={goal} isWhole />}
        </div>
      ))}
    </article>
  );
}

interface CardProps {
  readonly tile: SharedTile;
  readonly place: number; // from 1
}

function Card({ tile: { title, shown_as, width, report, note, state, left, goal }, place }: CardProps): JSX.Element {
  const { format, names, definitions } = useDisplay();
  const shown = { state, onCell: undefined, label: text.boards.tileLabel(title, place) };
  return (
    <section class={width === 2 ? 'card wide' : 'card'}>
      <header>
        <h2 dir="auto">{title}</h2>
      </header>
      <p class="quiet small">{report === null ? note : datesText(report, format, definitions?.site.time_zone)}</p>
      {goal && report && <GoalWords report={report} goal={goal} isWhole={false} />}
      {report?.rows.length === 0 && <p class="quiet">{emptyText(names, report)}</p>}
      {report && report.rows.length > 0 && shown_as === 'table' && (
        <ReportTable {...shown} report={report} onSort={undefined} />
      )}
      {report && report.rows.length > 0 && shown_as !== 'table' && (
        <Drawing {...shown} report={report} goal={goal?.value} />
      )}
      {left > 0 && <p class="quiet small">{boardText.shared.left(left)}</p>}
    </section>
  );
}
