import { importText } from '../../../../../lib/console/model/text/import-text.ts';
import { FORMATS } from '../../../../../lib/import/format-names.ts';

it('names every format that an import can have', () => {
  expect(Object.keys(importText.formats).sort()).toEqual([...FORMATS].sort());
});
