import type { JSX } from 'preact';
import { BoardPage } from './board.tsx';
import { BoardsPage } from './list.tsx';

interface BoardsProps {
  readonly id: string | undefined; // undefined for the list
  readonly query: URLSearchParams;
}

/** The pages of boards, loaded when one of them is opened. */
export const Boards = ({ id, query }: BoardsProps): JSX.Element =>
  id === undefined ? <BoardsPage /> : <BoardPage key={id} id={id} query={query} />;
