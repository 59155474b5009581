import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { NOTHING } from '../../model/format.ts';
import { deskWords as words } from '../../model/settings/desks.ts';
import { useApp } from '../context.tsx';
import { useResource } from '../edit/resource.ts';
import { href } from '../location.ts';
import { Trouble } from '../trouble.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { useMoment } from './desk-moment.ts';

interface Entry {
  readonly case: number;
  readonly measure: string;
  readonly ours: number | null;
  readonly theirs: number | null;
  readonly unit: string | null;
  readonly reason: string | null;
  readonly story: readonly { readonly at: string; readonly what: string }[];
}

/** A comparison with the help desk's own figures, as the API shows it. */
interface Check {
  readonly state: string;
  readonly at: string | null;
  readonly cases: number;
  readonly equal: number;
  readonly repaired: number;
  readonly explained: number;
  readonly unexplained: number;
  readonly entries: readonly Entry[];
}

const SOON = 1_000; // ms between two looks while it runs
const COUNTS = ['equal', 'repaired', 'explained', 'unexplained'] as const;

/** The last check: how many cases are equal, and each difference with its story. Nothing if there was none. */
export function DeskCheck({ path }: { readonly path: string }): JSX.Element | null {
  const { format } = useApp();
  const moment = useMoment();
  const { data, error, reload } = useResource<Check>(path);
  const isRunning = data?.state === 'running';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setTimeout(reload, SOON);
    return () => clearTimeout(timer);
  }, [data]);
  if (error !== undefined) return <Trouble error={error} onAgain={reload} />;
  if (data === undefined || data.state === 'none') return null;
  return (
    <section class="card">
      <h3>{words.checkTitle}</h3>
      <p class="quiet" role="status">
        {isRunning
          ? words.checkRuns(format.count(data.cases))
          : words.checkAbout(format.count(data.cases), moment(data.at ?? ''))}
      </p>
      <p class="row">
        {COUNTS.map((name) => (
          <span key={name}>
            {words.counts[name]} <strong>{format.count(data[name])}</strong>
          </span>
        ))}
      </p>
      {data.entries.length > 0 && <Entries entries={data.entries} />}
    </section>
  );
}

function Entries({ entries }: { readonly entries: readonly Entry[] }): JSX.Element {
  const { format } = useApp();
  const moment = useMoment();
  const figure = (value: number | null, unit: string | null): string =>
    value === null ? NOTHING : `${format.value(value, 'count')}${unit === null ? '' : ` ${unit}`}`;
  return (
    <ScrollBox label={words.checkTitle}>
      <table class="report">
        <thead>
          <tr>
            <th scope="col">{words.case}</th>
            <th scope="col">{words.what}</th>
            <th scope="col" class="number">
              {words.ours}
            </th>
            <th scope="col" class="number">
              {words.theirs}
            </th>
            <th scope="col">{words.why}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ case: id, measure, ours, theirs, unit, reason, story }) => (
            <tr key={`${id} ${measure}`}>
              <th scope="row">
                <a href={href(`/cases/${id}`)}>{id}</a>
              </th>
              <td>{words.measureOf(measure)}</td>
              <td class="number">{figure(ours, unit)}</td>
              <td class="number">{figure(theirs, unit)}</td>
              <td>
                <details>
                  <summary>{reason === null ? words.unexplained : words.reasonOf(reason)}</summary>
                  <ol>
                    {story.map(({ at, what }) => (
                      <li key={`${at} ${what}`} dir="auto">
                        {moment(at)}: {what}
                      </li>
                    ))}
                  </ol>
                </details>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
