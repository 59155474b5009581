import type { Route } from '../../../lib/http/route.ts';
import type { BenchService } from '../service.ts';

interface Sent {
  readonly target: string;
  readonly body?: unknown;
}

/** Returns the next request to an endpoint; throws for an unknown endpoint. */
export type RequestOf = ((route: Route) => Promise<Sent>) & { readonly knows: (route: Route) => boolean };

const TOPICS = '/api/v2/topics';
const MACROS = '/api/v2/macros';
const SAVED_REPORTS = '/api/v2/saved_reports';
const BOARDS = '/api/v2/boards';

const REPORT = {
  fields: ['case_creates', 'resolved_cases', 'avg_time_to_resolution'],
  time: { min: '2025-01-01T00:00:00Z', max: '2026-01-01T00:00:00Z', window_size: 'day' },
  dimension1: 'channel',
};

const CASES = { fields: ['avg_time_to_resolution'], time: { ...REPORT.time, window_size: 'none' }, sort: 'value' };

type Requests = Readonly<Record<string, () => Sent | Promise<Sent>>>;

/** The requests to boards, each with a tile of a saved report. */
async function boardRequests(
  make: (target: string, body: unknown) => Promise<string>,
  name: () => string,
  savedReport: string,
): Promise<Requests> {
  const tiles = [{ saved_report: Number(savedReport.split('/').at(-1)), shown_as: 'bars' }];
  const newBoard = () => make(BOARDS, { name: name(), tiles });
  const board = await newBoard();
  return {
    listBoards: () => ({ target: BOARDS }),
    showBoard: () => ({ target: board }),
    createBoard: () => ({ target: BOARDS, body: { name: name(), tiles } }),
    updateBoard: () => ({ target: board, body: { name: name() } }),
    deleteBoard: async () => ({ target: await newBoard() }),
  };
}

/** Makes requests to each endpoint. Each one has work to do: the resources that it needs are created before it. */
export async function createRequests({ ask }: BenchService): Promise<RequestOf> {
  let made = 0;
  const name = (): string => `Priced ${(made += 1)}`;
  const make = async (target: string, body: unknown): Promise<string> =>
    `${target}/${JSON.parse((await ask('POST', target, body)).body).id}`;
  const note = { type: 'set-case-note', value: 'text' };
  const newTopic = () => make(TOPICS, { name: name() });
  const newMacro = () => make(MACROS, { name: name() });

  const topic = await newTopic();
  const translation = `${topic}/translations/en_us`;
  const macro = await newMacro();
  const action = await make(`${macro}/actions`, note);

  const newSavedReport = () => make(SAVED_REPORTS, { name: name(), request: REPORT });
  const savedReport = await newSavedReport();

  const requests: Requests = {
    showMeta: () => ({ target: '/api/v2/insights3/meta' }),
    createReport: () => ({ target: '/api/v2/insights3/reports', body: REPORT }),
    listReportCases: () => ({ target: '/api/v2/insights3/cases', body: CASES }),
    showDefinitions: () => ({ target: '/api/v2/report_definitions' }),
    listSavedReports: () => ({ target: SAVED_REPORTS }),
    showSavedReport: () => ({ target: savedReport }),
    createSavedReport: () => ({ target: SAVED_REPORTS, body: { name: name(), request: REPORT } }),
    updateSavedReport: () => ({ target: savedReport, body: { name: name() } }),
    deleteSavedReport: async () => ({ target: await newSavedReport() }),
    runSavedReport: () => ({ target: `${savedReport}/run`, body: {} }),
    ...(await boardRequests(make, name, savedReport)),
    listTopics: () => ({ target: TOPICS }),
    showTopic: () => ({ target: topic }),
    createTopic: () => ({ target: TOPICS, body: { name: name() } }),
    updateTopic: () => ({ target: topic, body: { name: name() } }),
    deleteTopic: async () => ({ target: await newTopic() }),
    listTopicBrands: () => ({ target: `${topic}/brands` }),
    listTopicTranslations: () => ({ target: `${topic}/translations` }),
    showTopicTranslation: () => ({ target: translation }),
    createTopicTranslation: async () => {
      return { target: `${await newTopic()}/translations`, body: { name: name(), locale: 'de' } };
    },
    updateTopicTranslation: () => ({ target: translation, body: { name: name() } }),
    deleteTopicTranslation: async () => {
      const translations = `${await newTopic()}/translations`;
      await ask('POST', translations, { name: name(), locale: 'de' });
      return { target: `${translations}/de` };
    },
    listMacros: () => ({ target: MACROS }),
    showMacro: () => ({ target: macro }),
    createMacro: () => ({ target: MACROS, body: { name: name() } }),
    updateMacro: () => ({ target: macro, body: { name: name() } }),
    deleteMacro: async () => ({ target: await newMacro() }),
    listMacroActions: () => ({ target: `${macro}/actions` }),
    showMacroAction: () => ({ target: action }),
    createMacroAction: () => ({ target: `${macro}/actions`, body: note }),
    updateMacroAction: () => ({ target: action, body: { value: name() } }),
    deleteMacroAction: async () => ({ target: await make(`${macro}/actions`, note) }),
  };
  const requestOf = async (route: Route): Promise<Sent> => {
    const next = requests[route.name];
    if (next === undefined) throw new Error(`there is no request of ${route.name}`);
    return next();
  };
  return Object.assign(requestOf, { knows: ({ name }: Route) => Object.hasOwn(requests, name) });
}
