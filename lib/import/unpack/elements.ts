import { Parser } from 'htmlparser2';
import type { Archive } from './archive.ts';

/** What is done with the elements of a part of an archive, in the order of the file. */
export interface Handlers {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** An element's name without its prefix: programs write `<x:c>` for `<c>`. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Reads a part of an archive, and yields after each piece of it, so that what was read is taken before more is. */
export async function* readElements(archive: Archive, part: string, { open, text, close }: Handlers) {
  const parser = new Parser(
    { ...(open && { onopentag: open }), ...(text && { ontext: text }), ...(close && { onclosetag: close }) },
    { xmlMode: true },
  );
  const stream = await archive.open(part);
  try {
    for await (const chunk of stream.setEncoding('utf8')) {
      parser.write(String(chunk));
      yield;
    }
  } finally {
    stream.destroy();
  }
  parser.end();
  yield;
}

/** Reads all of a part of an archive. */
export async function eachElement(archive: Archive, part: string, handlers: Handlers): Promise<void> {
  for await (const _ of readElements(archive, part, handlers));
}
