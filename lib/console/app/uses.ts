import type { Board } from '../model/board/board.ts';
import { boardText } from '../model/text/board-text.ts';
import type { App } from './context.tsx';
import { allOf, type Page } from './edit/resource.ts';

interface User {
  readonly name?: string;
  readonly saved_report: number | null;
}

/** What uses a saved report, in words: boards by name, mails by number, alerts by name. */
export async function usesOf({ api }: App, report: number): Promise<string[]> {
  const entriesOf = async <T>(path: string): Promise<readonly T[]> =>
    (await api.ask<Page<T>>(allOf(path))).data._embedded.entries;
  const boards = await entriesOf<Board>('/api/v2/boards');
  const mails = (await entriesOf<User>('/api/v2/subscriptions')).filter((one) => one.saved_report === report);
  const alerts = (await entriesOf<User>('/api/v2/alerts')).filter((one) => one.saved_report === report);
  const words = boardText.used;
  return [
    ...boards
      .filter(({ tiles }) => tiles.some(({ saved_report }) => saved_report === report))
      .map(({ name }) => words.board(name)),
    ...(mails.length === 0 ? [] : [words.mails(mails.length)]),
    ...alerts.map(({ name = '' }) => words.alert(name)),
  ];
}
