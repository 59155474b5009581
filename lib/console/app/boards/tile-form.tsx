import type { JSX } from 'preact';
import { type BoardTile, SHOWN_AS, wayOf } from '../../model/board/board.ts';
import { boardText } from '../../model/text/board-text.ts';
import { savedText } from '../../model/text/saved-text.ts';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { href } from '../location.ts';
import type { SavedReport } from '../report/save.tsx';
import { Check, TextArea, TextField } from '../ui/fields.tsx';
import { Button, PickList, Popover } from '../ui/ui.tsx';

interface AddTileProps {
  readonly reports: readonly SavedReport[];
  readonly onAdd: (tile: BoardTile) => void;
}

/** Buttons that add a saved report to the board, shown as on its own page, or a heading or a text. */
export function AddTile({ reports, onAdd }: AddTileProps): JSX.Element {
  const { definitions } = useApp();
  return (
    <p class="row">
      <Popover label={text.boards.addTile} name={text.boards.addTile} kind="button primary">
        {(close) =>
          reports.length === 0 ? (
            <span>
              {text.boards.noReports} <a href={href('/report')}>{savedText.build}</a>
            </span>
          ) : (
            <PickList
              label={text.boards.addTile}
              options={reports.map(({ id, name }) => ({ id: String(id), name }))}
              chosen={[]}
              onPick={(id) => {
                const saved = reports.find((report) => String(report.id) === id);
                const shown_as = wayOf(saved?.request, definitions);
                onAdd({ saved_report: Number(id), shown_as, width: 1, pinned: false });
                close();
              }}
            />
          )
        }
      </Popover>
      <Button onClick={() => onAdd({ heading: words.heading, width: 2 })}>{words.addHeading}</Button>
      <Button onClick={() => onAdd({ text: words.text, width: 2 })}>{words.addText}</Button>
    </p>
  );
}

const words = boardText.tiles;

interface TileFormProps {
  readonly tile: BoardTile;
  readonly name: string;
  readonly unit: string; // of its first field
  readonly index: number;
  readonly onChange: (part: Partial<BoardTile>) => void;
  readonly onRemove: () => void;
}

/** What a tile says, or how it is shown. */
export function TileForm(props: TileFormProps): JSX.Element {
  const { tile, name, index } = props;
  return (
    <>
      <span class="position">{index + 1}</span>
      <div class="tile-form">
        {tile.saved_report === undefined ? (
          <WordsForm {...props} />
        ) : (
          <>
            <h2 dir="auto">{name}</h2>
            <ReportForm {...props} />
          </>
        )}
      </div>
    </>
  );
}

function WordsForm({ tile: { heading, text: words_ }, index, onChange, onRemove }: TileFormProps): JSX.Element {
  const place = index + 1;
  return (
    <>
      {heading === undefined ? (
        <TextArea
          label={`${words.text} ${place}`}
          hint={words.textHint}
          value={words_ ?? ''}
          onInput={(typed) => onChange({ text: typed })}
          input={{ maxLength: 4000 }}
        />
      ) : (
        <TextField
          label={`${words.heading} ${place}`}
          value={heading}
          onInput={(typed) => onChange({ heading: typed })}
          input={{ maxLength: 255 }}
        />
      )}
      <p class="row">
        <Button kind="quiet" label={`${text.boards.removeTile}: ${place}`} onClick={onRemove}>
          {text.boards.removeTile}
        </Button>
      </p>
    </>
  );
}

function ReportForm({ tile, name, unit, onChange, onRemove }: TileFormProps): JSX.Element {
  const label = (what: string): string => `${what}: ${name}`;
  const { goal } = tile;
  return (
    <>
      <p class="row">
        <select
          class="input chip"
          aria-label={label(text.boards.shownAs)}
          value={tile.shown_as}
          onChange={(event) =>
            onChange({ shown_as: SHOWN_AS.find((each) => each === event.currentTarget.value) ?? 'table' })
          }
        >
          {SHOWN_AS.map((each) => (
            <option key={each} value={each}>
              {text.boards.ways[each]}
            </option>
          ))}
        </select>
        <Check
          label={text.boards.wide}
          name={label(text.boards.wide)}
          checked={tile.width === 2}
          onChange={(checked) => onChange({ width: checked ? 2 : 1 })}
        />
        <Check
          label={text.boards.pinned}
          name={label(text.boards.pinned)}
          checked={tile.pinned ?? false}
          onChange={(pinned) => onChange({ pinned })}
        />
        <Button kind="quiet" label={label(text.boards.removeTile)} onClick={onRemove}>
          {text.boards.removeTile}
        </Button>
      </p>
      <p class="row">
        <select
          class="input chip"
          aria-label={label(boardText.goal.label)}
          value={goal?.better ?? ''}
          onChange={(event) => {
            const better = BETTER.find((each) => each === event.currentTarget.value);
            onChange({ goal: better && { value: goal?.value ?? 0, better } });
          }}
        >
          <option value="">{boardText.goal.none}</option>
          {BETTER.map((each) => (
            <option key={each} value={each}>
              {`${boardText.goal.label}: ${boardText.goal.ways[each]}`}
            </option>
          ))}
        </select>
        {goal && (
          <>
            <input
              class="input chip"
              type="number"
              style={{ width: '9rem' }}
              step="any"
              aria-label={label(boardText.goal.value)}
              value={goal.value}
              onInput={(event) => onChange({ goal: { ...goal, value: Number(event.currentTarget.value) } })}
            />
            <span class="quiet small">{boardText.goal.unit(unit)}</span>
          </>
        )}
      </p>
    </>
  );
}

const BETTER = ['above', 'below'] as const;
