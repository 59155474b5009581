import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

const TOGETHER = 5_000; // lines in one write

/** Writes lines, which include their line ends, to a file of any size. */
export async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const file = createWriteStream(path);
  let waiting: string[] = [];
  const flush = async (): Promise<void> => {
    const text = waiting.join('');
    waiting = [];
    if (!file.write(text)) await once(file, 'drain');
  };
  for (const line of lines) {
    waiting.push(line);
    if (waiting.length === TOGETHER) await flush();
  }
  await flush();
  await finished(file.end());
}
