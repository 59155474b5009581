import type { JSX } from 'preact';
import { ALERT_COMPARISONS, ALERT_KINDS } from '../../model/alert-kinds.ts';
import { unitOf } from '../../model/fields.ts';
import type { Format } from '../../model/format.ts';
import { type Alert, isOneNumber } from '../../model/mail.ts';
import { stateOf } from '../../model/report/report-open.ts';
import { text } from '../../model/text/text.ts';
import { topicText } from '../../model/text/topic-text.ts';
import { ALL_REPORTS } from '../boards/copy.ts';
import { useApp } from '../context.tsx';
import type { Form, FormKind } from '../edit/form.ts';
import { type Page, useResource } from '../edit/resource.ts';
import type { SavedReport } from '../report/save.tsx';
import { Choice, TextField, Typed } from '../ui/fields.tsx';
import { CheckNow } from './compute-now.tsx';
import { nameAmong } from './kinds.ts';
import { ListPage } from './list.tsx';
import { OnePage, OWN_FIELDS, OWN_LABELS, type OwnFields, RecipientFields, shownOwn, TimeField } from './one.tsx';

interface Fields extends OwnFields, Pick<Alert, 'name' | 'comparison' | 'check'> {
  readonly saved_report: number | null; // null: not chosen yet
  readonly bound: number | null; // null: not typed yet
}

const words = text.alerts;
const KINDS = ALERT_COMPARISONS.map((comparison) => [comparison, ALERT_KINDS[comparison].label] as const);
const CHECKS = Object.entries(words.checks);

const LABELS: FormKind<Alert, Fields>['labels'] = {
  name: topicText.name,
  saved_report: words.what,
  comparison: words.comparison,
  bound: words.bound,
  check: words.check,
  ...OWN_LABELS,
};

interface AlertsProps {
  readonly id: string | undefined; // undefined for the list
  readonly query: URLSearchParams; // what a new one watches
}

/** The pages of alerts. */
export function Alerts({ id, query }: AlertsProps): JSX.Element {
  const { definitions, format } = useApp();
  const reports = useResource<Page<SavedReport>>(ALL_REPORTS).data?._embedded.entries;
  const reportOf = (saved: number | null) => reports?.find((one) => one.id === saved);
  const unitIn = (saved: number | null): string =>
    unitOf(definitions, stateOf(reportOf(saved)?.request).fields[0] ?? '');
  const watched = ({ saved_report, comparison, bound }: Pick<Fields, 'saved_report' | 'comparison' | 'bound'>) => {
    const { label, boundText } = ALERT_KINDS[comparison];
    return `${nameAmong(reports, saved_report)} ${label} ${boundText(bound, unitIn(saved_report), format)}`;
  };
  if (id === undefined) {
    const describe = (alert: Alert): string => text.listAnd([watched(alert), words.looks[alert.check]]);
    return <ListPage<Alert> kind="alerts" nameOf={({ name }) => name} describe={describe} />;
  }
  const fields: Fields = {
    name: '',
    saved_report: Number(query.get('saved_report')) || null,
    comparison: 'above',
    bound: null,
    check: 'hour',
    ...OWN_FIELDS,
  };
  const show = (shown: Fields): Readonly<Record<string, string>> => ({
    [topicText.name]: shown.name,
    [words.what]: watched(shown),
    [words.check]: words.checks[shown.check],
    ...shownOwn(shown),
  });
  return (
    <OnePage
      key={id}
      kind="alerts"
      id={id}
      fields={fields}
      form={{ labels: LABELS, read: (data) => data, show }}
      nameOf={({ name }: Alert) => name}
      below={(saved) => <CheckNow id={saved} />}
    >
      {(form) => <AlertFields form={form} unit={unitIn(form.fields.saved_report)} reports={reports} />}
    </OnePage>
  );
}

interface AlertFieldsProps {
  readonly form: Form<Fields>;
  readonly unit: string; // of the number
  readonly reports: readonly SavedReport[] | undefined; // undefined until they are read
}

/** The inputs of an alert. */
function AlertFields({ form, unit, reports }: AlertFieldsProps): JSX.Element {
  const { format } = useApp();
  const { fields, error, change } = form;
  return (
    <>
      <TextField {...form.text('name')} input={{ required: true }} />
      <Watched
        chosen={fields.saved_report}
        reports={reports}
        error={error}
        onChange={(saved_report) => change({ saved_report })}
      />
      <Choice {...form.choice('comparison')} options={KINDS} />
      <Typed
        value={fields.bound}
        read={(typed) => (typed === '' ? null : Number(typed))}
        write={(bound) => String(bound ?? '')}
        onChange={(bound) => change({ bound })}
      >
        {(typed) => (
          <TextField
            label={words.bound}
            {...boundHint(fields, unit, format)}
            name="bound"
            error={error}
            {...typed}
            input={{ type: 'number', step: 'any', required: true }}
          />
        )}
      </Typed>
      <Choice {...form.choice('check')} options={CHECKS} />
      {fields.check === 'day' && <TimeField form={form} />}
      <RecipientFields form={form} />
    </>
  );
}

/** In which unit a bound is typed, and what it says then; nothing for a number that is typed as it is shown. */
function boundHint({ comparison, bound }: Pick<Fields, 'comparison' | 'bound'>, unit: string, format: Format) {
  const kind = ALERT_KINDS[comparison];
  const how = kind.boundHint(unit);
  if (how === undefined) return {};
  return { hint: bound === null ? `${how}.` : `${how}: ${kind.boundText(bound, unit, format)}.` };
}

interface WatchedProps {
  readonly chosen: number | null;
  readonly reports: readonly SavedReport[] | undefined; // undefined until they are read
  readonly error: unknown;
  readonly onChange: (id: number | null) => void;
}

/** The saved report that is watched, of those that are one number. */
function Watched({ chosen, reports, error, onChange }: WatchedProps): JSX.Element {
  const choices = (reports ?? []).filter(({ id, request }) => id === chosen || isOneNumber(request));
  const isGone = chosen !== null && choices.every(({ id }) => id !== chosen);
  return (
    <Choice
      label={words.what}
      hint={words.whatHint}
      name="saved_report"
      error={error}
      required
      options={[
        ['', text.mails.choose],
        ...(isGone ? [[String(chosen), nameAmong(reports, chosen)] as const] : []),
        ...choices.map(({ id, name }) => [String(id), name] as const),
      ]}
      value={String(chosen ?? '')}
      onChange={(id) => onChange(Number(id) || null)}
    />
  );
}
