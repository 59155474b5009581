import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The files that may tell the compiler what a value is (`as` but for `as const`), how often, and why no type can say it. */
const CASTS: Readonly<Record<string, readonly [count: number, why: string]>> = {
  'infra/local/table/codec.ts': [1, 'bytes to values: the places of values in a stored item'],
  'infra/stack/function.ts': [1, 'classes of the CDK do not fit its own interfaces under exactOptionalPropertyTypes'],
  'lib/access/site-fields.ts': [2, 'the settings of a table, name by name'],
  'lib/console/model/queue.ts': [1, 'answers of all types lie in one queue, each under a key of its own'],
  'lib/history/storage/ledger-forms.ts': [2, 'numbers to events: a form reads them key by key'],
  'lib/history/storage/tail.ts': [1, 'bytes to values: a row as it was written'],
  'lib/http/fields.ts': [1, 'what the schema of each field let through'],
  'lib/http/route.ts': [1, 'a route knows its own fields, the list of routes those of all'],
  'lib/http/serve.ts': [1, 'middy asks for the whole context of Lambda'],
  'lib/topics/articles/records.ts': [1, 'an object without some of its fields'],
  'lib/import/language/durations.ts': [1, 'weeks are filtered out before, which the type of a filter does not say'],
  'lib/own-json.ts': [1, 'text to values: what this product wrote itself'],
  'lib/memo.ts': [1, 'things of all types lie in one map, each under its maker'],
  'lib/resource/plan.ts': [1, 'the fields of a table, name by name'],
  'lib/resource/resource.ts': [4, 'the fields of a table, name by name'],
  'lib/typed-object.ts': [2, 'Object.keys and Object.fromEntries know no names'],
};

const sources = ['bin', 'functions', 'infra', 'lib'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(room, name)),
);

/** How many casts stand in a file. */
function castsIn(file: string): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    const isCast = ts.isAsExpression(node) || ts.isTypeAssertionExpression(node);
    if (isCast && !ts.isConstTypeReference(node.type)) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return count;
}

it('casts only where this list says why', () => {
  const found = sources.flatMap((file) => {
    const count = castsIn(file);
    return count === 0 ? [] : [[file, count]];
  });
  const allowed = Object.entries(CASTS).map(([file, [count]]) => [file, count]);
  expect(found.sort()).toEqual(allowed.sort());
});
