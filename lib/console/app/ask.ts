import { useEffect, useState } from 'preact/hooks';
import { type Job, Superseded } from '../model/queue.ts';
import { type Report, type ReportReply, readReport } from '../model/report/report.ts';
import type { ReportBody } from '../model/report/report-request.ts';
import { type App, useApp } from './context.tsx';

/** A request of a page and its answer. The last answer stays until the next one arrives. */
export interface Asked<T> {
  readonly data: T | undefined;
  readonly of: string | undefined; // the key of the data
  readonly error: unknown; // undefined for none
  readonly busy: boolean;
  readonly again: () => void;
}

/** Adds a job to the queue whenever the key changes; an undefined key means no job. */
export function useQueued<T>({ key, ...job }: Omit<Job<T>, 'key'> & { readonly key: string | undefined }): Asked<T> {
  const { queue } = useApp();
  const [state, setState] = useState<Omit<Asked<T>, 'again'>>({
    data: undefined,
    of: undefined,
    error: undefined,
    busy: key !== undefined,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (key === undefined) return undefined;
    let current = true;
    setState((last) => ({ ...last, error: undefined, busy: true }));
    queue.ask({ ...job, key }).then(
      (data) => current && setState({ data, of: key, error: undefined, busy: false }),
      (error: unknown) => {
        if (current)
          setState((last) => ({
            ...last,
            data: error instanceof Superseded ? last.data : undefined,
            error,
            busy: false,
          }));
      },
    );
    return () => {
      current = false;
      queue.leave(job.slot);
    };
  }, [key, round, queue]);
  return { ...state, again: () => setRound(round + 1) };
}

/** Asks for a report. */
export const askReport = async (
  { api, definitions }: App,
  body: ReportBody | undefined,
  signal: AbortSignal,
): Promise<Report> => {
  const { data } = await api.ask<ReportReply>('/api/v2/insights3/reports', {
    method: 'POST',
    signal,
    body: body?.time.compare === undefined ? body : { ...body, chance: true },
  });
  return readReport(data, { now: Date.now(), zone: definitions?.site.time_zone ?? 'UTC', definitions });
};

/** Requests a report. A slot has one report at a time; `isFirst` is for the main report of a page. */
export function useReport(slot: string, body: ReportBody | undefined, isFirst = false): Asked<Report> {
  const app = useApp();
  return useQueued({
    slot,
    isFirst,
    key: body && `report ${JSON.stringify(body)}`,
    send: (signal) => askReport(app, body, signal),
  });
}
