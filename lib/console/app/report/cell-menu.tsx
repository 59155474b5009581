import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { unitOf } from '../../model/fields.ts';
import { breakOutState, type Cell, cellState, onlyState, zoomState } from '../../model/report/cell.ts';
import type { Report } from '../../model/report/report.ts';
import { type ReportState, writeReportState } from '../../model/report/report-state.ts';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { go, href } from '../location.ts';
import { moveFocus, whenLeft } from '../ui/ui.tsx';

/** Opens the menu of a cell beside the element that was clicked. */
export type OpenCell = (at: Element, cell: Cell, value: number | null) => void;

interface Opened {
  readonly at: Element;
  readonly cell: Cell;
  readonly value: number | null;
}

/** What a menu offers besides what every report has. */
export interface CellActions {
  /** Filters the board that the report is on to a member of a dimension. */
  readonly onFilter?: ((dimension: string, member: string) => void) | undefined;
}

/** The menu of a report's cells: a function that opens it, and the element to render. */
export function useCellMenu(
  state: ReportState,
  report: Report | undefined,
  actions: CellActions = {},
): readonly [OpenCell, JSX.Element | null] {
  const [opened, setOpened] = useState<Opened | undefined>();
  const open: OpenCell = (at, cell, value) => setOpened({ at, cell, value });
  const menu = opened && report && (
    <CellMenu
      key={JSON.stringify(opened.cell)}
      state={state}
      report={report}
      {...actions}
      opened={opened}
      onClose={() => setOpened(undefined)}
    />
  );
  return [open, menu || null];
}

interface CellMenuProps extends CellActions {
  readonly state: ReportState;
  readonly report: Report;
  readonly opened: Opened;
  readonly onClose: () => void;
}

function CellMenu({ state, report, opened: { at, cell, value }, onClose, onFilter }: CellMenuProps): JSX.Element {
  const { definitions, format, names } = useApp();
  const [breaking, setBreaking] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const field = report.fields[cell.field] ?? '';
  const close = (): void => {
    onClose();
    if (at instanceof HTMLElement) at.focus();
  };
  useLayoutEffect(() => whenLeft(box, close, onClose), []);
  useLayoutEffect(() => {
    box.current?.querySelector<HTMLElement>('a, button')?.focus();
  }, [breaking]);
  const members = report.dimensions.flatMap((dimension, index) => {
    const member = cell.row.members[index] ?? null;
    return member === null ? [] : [{ dimension, member }];
  });
  const open = (next: ReportState): void => {
    onClose();
    go(href('/report', writeReportState(next)));
  };
  const { window } = cell.row;
  const onBoard = members.filter(({ dimension }) => onFilter && names.objectOf(dimension) !== undefined);
  const items: readonly (readonly [label: string, act: () => void])[] = breaking
    ? names
        .dimensions()
        .filter(({ id }) => !members.some(({ dimension }) => dimension === id))
        .map(({ id, name }) => [name, () => open(breakOutState(state, report, cell, id))])
    : [
        ...onBoard.map(({ dimension, member }) => {
          const filter = (): void => {
            onClose();
            onFilter?.(dimension, String(member));
          };
          return [text.cell.filterBoard(names.of(dimension, member)), filter] as const;
        }),
        ...members.map(({ dimension, member }) => {
          const only = (): void => open(onlyState(state, dimension, String(member)));
          return [text.cell.only(names.of(dimension, member)), only] as const;
        }),
        ...(window === null || report.size === 'hour'
          ? []
          : [
              [
                text.cell.zoom(format.window(window, report.size)),
                () => open(zoomState(state, report, window)),
              ] as const,
            ]),
        [text.cell.breakOut, () => setBreaking(true)],
      ];
  return (
    <div
      class="panel menu"
      role="dialog"
      aria-label={text.cell.label(format.value(value, unitOf(definitions, field)), names.field(field))}
      ref={box}
      style={placeBeside(at)}
      onKeyDown={(event) => moveFocus(event, box.current)}
    >
      {!breaking && (
        <>
          <p class="what">
            <strong>{format.value(value, unitOf(definitions, field))}</strong> {names.field(field)}
          </p>
          <a class="option strong" href={href('/cases', writeReportState(cellState(state, report, cell)))}>
            {text.cell.casesPlain}
          </a>
        </>
      )}
      {items.map(([label, act], index) => (
        <button key={index} type="button" class="option" onClick={act}>
          {label}
        </button>
      ))}
    </div>
  );
}

const WIDTH = 280; // px of the menu, at most
const HEIGHT = 300; // px of the menu, about

/** The position of the menu: below or above the element, within the window. */
function placeBeside(at: Element): Record<string, string> {
  const { left, bottom, top } = at.getBoundingClientRect();
  const below = bottom + HEIGHT < innerHeight || top < HEIGHT;
  return {
    left: `${Math.max(8, Math.min(left, innerWidth - WIDTH - 8))}px`,
    ...(below ? { top: `${Math.min(bottom + 4, innerHeight - 60)}px` } : { bottom: `${innerHeight - top + 4}px` }),
  };
}
