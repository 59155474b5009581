import { readFileSync } from 'node:fs';
import { withGuideTables } from '../../../infra/openapi/guide-tables.ts';
import { defineField } from '../../../lib/insights/definitions/definitions.ts';
import { FIELD_NAMES, isFieldName } from '../../../lib/insights/definitions/fields.ts';

const docs = new URL('../../../docs/', import.meta.url);
const guide = readFileSync(new URL('insights.md', docs), 'utf8');

describe('the guide to reports', () => {
  it('has the tables of the registries (npm run openapi writes them)', () => {
    expect(guide).toBe(withGuideTables(guide));
  });

  it('says of every field what it means and the rule, with its unit and whether it is an extension', () => {
    const rows = guide.split('\n').flatMap((line) => {
      const [, name, mark, unit, words, exactly] = /^\| `(\w+)`( \*)? \| ([\w ]+) \| (.+) \| (.+) \|$/.exec(line) ?? [];
      return name === undefined || !isFieldName(name) ? [] : [{ name, mark, unit, words, exactly }];
    });
    expect(rows.map(({ name }) => name).sort()).toEqual([...FIELD_NAMES].sort());
    for (const { name, mark, unit, exactly } of rows) {
      const { unit: known, extension } = defineField(name);
      expect({ name, unit, extension: mark !== undefined }).toEqual({ name, unit: known, extension });
      expect(exactly).toMatch(/\((\d+)(, \d+)*\)$/);
    }
  });

  it('names rules that there are', () => {
    const rules = readFileSync(new URL('rules.md', docs), 'utf8');
    const named = [...guide.matchAll(/\((?:rules? )?(\d+(?:, \d+)*)\)/g)].flatMap(([, list = '']) => list.split(', '));
    expect(named.length).toBeGreaterThan(FIELD_NAMES.length);
    for (const number of named) expect(rules).toMatch(new RegExp(`^${number}\\. `, 'm'));
  });
});
