import { useEffect, useRef, useState } from 'preact/hooks';
import { type BoardPlan, haveOneRange } from '../../model/board/board.ts';
import { Superseded } from '../../model/queue.ts';
import type { Report } from '../../model/report/report.ts';
import { type ReportBody, requestOf } from '../../model/report/report-request.ts';
import { askReport } from '../ask.ts';
import { type App, useApp } from '../context.tsx';

/** The answer to one request of a board. */
export interface BoardAnswer {
  readonly data: Report | undefined;
  readonly error: unknown; // undefined for none
  readonly busy: boolean;
  readonly shape: string; // fields and dimensions: only an answer of the same ones may stand in for another
}

/** The answers to all requests of a board. */
export interface BoardAnswers {
  readonly answers: readonly BoardAnswer[]; // by index of the plan's requests; none before they are asked
  readonly at: number | undefined; // epoch ms of the moment that they are of; undefined while there is none
  /** Asks for all again. What is shown stays until the new answers are complete. */
  readonly refresh: () => void;
}

const SAME_MOMENT = 5 * 60_000; // ms for which a board that is opened again shows the answers that it had

/** The moments of the boards that this page has shown, epoch ms by name. */
const moments = new Map<string, number>();

/** The moment of a board: the last one, if it is not long ago. */
function momentOf(name: string): number {
  const last = moments.get(name);
  if (last !== undefined && Date.now() - last < SAME_MOMENT) return last;
  return newMoment(name);
}

function newMoment(name: string): number {
  const now = Date.now();
  moments.set(name, now);
  return now;
}

/** A job for a report that belongs to a moment: the queue answers it again only for the same moment. */
const reportJob = (app: App, body: ReportBody, moment: number) => ({
  key: `${moment} ${JSON.stringify(body)}`,
  send: (signal: AbortSignal): Promise<Report> => askReport(app, body, signal),
});

const shapeOf = ({ fields, dimension1, dimension2 }: ReportBody): string =>
  JSON.stringify([fields, dimension1, dimension2]);

/** Asks for everything that a board shows, all of one moment. `name` tells boards apart. */
export function useBoard(name: string, plan: BoardPlan): BoardAnswers {
  const app = useApp();
  const [state, setState] = useState<Omit<BoardAnswers, 'refresh'>>({ answers: [], at: undefined });
  const [moment, setMoment] = useState(() => momentOf(name));
  const shown = useRef<number | undefined>(undefined);
  const bodies = plan.requests.map((request) => requestOf(request.state, app.definitions?.site.time_zone));
  const refresh = (): void => setMoment(newMoment(name));
  useEffect(() => {
    let current = true;
    const isRefresh = shown.current !== undefined && shown.current !== moment;
    const earlier = new Map(state.answers.map(({ shape, data }) => [shape, data]));
    const answers: BoardAnswer[] = bodies.map((body) => {
      const shape = shapeOf(body);
      return { data: earlier.get(shape), error: undefined, busy: true, shape };
    });
    const publish = (): void => {
      const isComplete = answers.every(({ busy }) => !busy);
      if (!current || (isRefresh && !isComplete)) return;
      if (isComplete && !haveOneRange(bodies, answers)) {
        refresh();
        return;
      }
      const failed = isRefresh && answers.some(({ error }) => error !== undefined);
      shown.current = moment;
      setState(({ at }) => ({ answers: [...answers], at: failed ? at : moment })); // what stays keeps its time
    };
    if (!isRefresh) setState(({ at }) => ({ answers: [...answers], at }));
    for (const [index, body] of bodies.entries()) {
      const { data: before, shape } = answers[index] ?? { data: undefined, shape: '' };
      const settle = (data: Report | undefined, error: unknown): void => {
        answers[index] = { data, error, busy: false, shape };
        publish();
      };
      const isFirst = plan.requests[index]?.isFirst ?? false;
      app.queue.ask({ slot: `${name} ${index}`, isFirst, ...reportJob(app, body, moment) }).then(
        (data) => settle(data, undefined),
        (error: unknown) => error instanceof Superseded || settle(isRefresh ? before : undefined, error),
      );
    }
    return () => {
      current = false;
      for (const index of bodies.keys()) app.queue.leave(`${name} ${index}`);
    };
  }, [JSON.stringify(bodies), moment, name, app.queue]);
  return { ...state, refresh };
}
