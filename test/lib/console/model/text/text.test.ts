import { text } from '../../../../../lib/console/model/text/text.ts';
import { FORMATS } from '../../../../../lib/import/format-names.ts';

it('names every format that an import can have', () => {
  expect(Object.keys(text.importing.formats).sort()).toEqual([...FORMATS].sort());
});
