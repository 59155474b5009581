import type { JSX } from 'preact';
import { type BoardTile, SHOWN_AS } from '../../model/board.ts';
import { text } from '../../model/text.ts';
import { Check } from '../fields.tsx';
import { href } from '../location.ts';
import type { SavedReport } from '../report/save.tsx';
import { Button, PickList, Popover } from '../ui.tsx';

interface AddTileProps {
  readonly reports: readonly SavedReport[];
  readonly onAdd: (tile: BoardTile) => void;
}

/** A button that adds a saved report to the board. */
export const AddTile = ({ reports, onAdd }: AddTileProps): JSX.Element => (
  <p class="row">
    <Popover label={text.boards.addTile} name={text.boards.addTile} kind="button primary">
      {(close) =>
        reports.length === 0 ? (
          <span>
            {text.boards.noReports} <a href={href('/report')}>{text.saved.build}</a>
          </span>
        ) : (
          <PickList
            label={text.boards.addTile}
            options={reports.map(({ id, name }) => ({ id: String(id), name }))}
            chosen={[]}
            onPick={(id) => {
              onAdd({ saved_report: Number(id), shown_as: 'number', width: 1, pinned: false });
              close();
            }}
          />
        )
      }
    </Popover>
  </p>
);

interface TileFormProps {
  readonly tile: BoardTile;
  readonly name: string;
  readonly index: number;
  readonly onChange: (part: Partial<BoardTile>) => void;
  readonly onRemove: () => void;
}

/** How a tile is shown. */
export function TileForm({ tile, name, index, onChange, onRemove }: TileFormProps): JSX.Element {
  const label = (what: string): string => `${what}: ${name}`;
  return (
    <>
      <span class="position">{index + 1}</span>
      <div class="tile-form">
        <h2 dir="auto">{name}</h2>
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
            checked={tile.pinned}
            onChange={(pinned) => onChange({ pinned })}
          />
          <Button kind="quiet" label={label(text.boards.removeTile)} onClick={onRemove}>
            {text.boards.removeTile}
          </Button>
        </p>
      </div>
    </>
  );
}
