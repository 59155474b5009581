import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './command.ts';

/** The shell commands of a document under one of its headings that begin so, a line each, without their comments. */
export async function commandsOf(document: string, heading: string, beginning: string): Promise<string[]> {
  const blocks = await blocksOf(document, heading);
  return blocks.flatMap(linesOf).filter((line) => line.startsWith(beginning));
}

/** The first block of commands of a document under one of its headings, whose lines belong together. */
export async function scriptOf(document: string, heading: string): Promise<string> {
  const [script] = await blocksOf(document, heading);
  if (script === undefined) throw new Error(`${document} has no commands under ${heading}`);
  return script;
}

async function blocksOf(document: string, heading: string): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs', document), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```\n(.*?)^```/gms)].map(([, block = '']) => block);
}

/** The commands of the pipeline that docs/delivery.md shows, of its stages alone. */
export async function commandsOfPipeline(): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs', 'delivery.md'), 'utf8');
  const stages = text.slice(text.indexOf('steps: &deploy'), text.indexOf('steps: *deploy'));
  return [...stages.matchAll(/- run: (.*)/g)].map(([, command = '']) => command);
}

/** A command with values in place of what it leaves open, such as `<table>`; throws if something stays open. */
export function filledIn(command: string, values: Readonly<Record<string, string>>): string {
  const filled = Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), command);
  if (/<[a-z ]+>|\$\{\{|…/i.test(filled)) throw new Error(`not all is filled in: ${filled}`);
  return filled;
}

const linesOf = (block: string): string[] =>
  block
    .split('\n')
    .map((line) => line.replace(/ {2,}#.*/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'));
