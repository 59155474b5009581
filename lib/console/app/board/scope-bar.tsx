import type { JSX } from 'preact';
import type { BoardScope } from '../../model/board/board.ts';
import { USUAL_PERIOD } from '../../model/period.ts';
import { USUAL_REPORT, writeReportState } from '../../model/report/report-state.ts';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { go, href } from '../location.ts';
import { Filters } from '../report/filters.tsx';
import { PeriodPicker } from '../ui/period-picker.tsx';

interface ScopeBarProps {
  readonly scope: BoardScope;
  readonly onChange: (part: Partial<BoardScope>) => void;
}

/** The period and the filters of a board. */
export function ScopeBar({ scope: { period, zone, filters }, onChange }: ScopeBarProps): JSX.Element {
  return (
    <section class="row scope" aria-label={text.boards.scope}>
      <PeriodPicker
        period={period ?? USUAL_PERIOD}
        isOwn={period === null}
        zone={zone}
        onChange={(chosen, where) => onChange({ period: chosen, zone: where })}
      />
      <Filters state={{ filters }} onChange={onChange} />
    </section>
  );
}

const SCOPE = ['last', 'from', 'until', 'zone', 'where'];

/** The query of a board's address: only its scope. */
function writeScope({ period, zone, filters }: BoardScope): URLSearchParams {
  const query = writeReportState({ ...USUAL_REPORT, period: period ?? USUAL_PERIOD, zone, filters });
  for (const name of [...query.keys()]) if (!SCOPE.includes(name)) query.delete(name);
  if (period === null) for (const name of ['last', 'from', 'until', 'zone']) query.delete(name);
  return query;
}

interface ScopeActions {
  readonly onChange: (part: Partial<BoardScope>) => void;
  readonly onFilter: (dimension: string, member: string) => void;
}

/** What changes the scope of the board at a path: it is in the address. */
export function useScopeActions(path: string, scope: BoardScope): ScopeActions {
  const { names } = useApp();
  const onChange = (part: Partial<BoardScope>): void => go(href(path, writeScope({ ...scope, ...part })));
  const onFilter = (dimension: string, member: string): void => {
    const object = names.objectOf(dimension);
    if (object === undefined) return;
    const condition = { action: 'Include', object, ids: [member], text: '' } as const;
    const kept = scope.filters.length === 0 ? [[]] : scope.filters;
    onChange({ filters: kept.map((group) => [...group.filter((each) => each.object !== object), condition]) });
  };
  return { onChange, onFilter };
}
