import { sharedData } from './data-file.ts';

/** A `describe` that is reported as skipped if the data set is absent. */
export function describeWithData(name: string, sentence: string, tests: (path: string) => void): void {
  const path = sharedData(name);
  if (path === null) describe.skip(`${sentence} (${name} is absent)`, () => tests(''));
  else describe(sentence, () => tests(path));
}
