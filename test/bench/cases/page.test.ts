import { checkFigures } from './page.ts';

const page = '| topics | 600 KiB | why |\n| load | 2,100 KiB | why |\nEach run reads 9 units a site.\n';
const size = (name: string, is: number) => ({
  what: name,
  told: new RegExp(`^\\| ${name} \\| ([\\d,]+) KiB`, 'm'),
  is,
});

it('is content with a page that is at most a tenth off, and names each figure that is more, or is not told', () => {
  const units = { what: 'units', told: /reads (\d+) units a site/, is: 9 };
  expect(() => checkFigures(page, [size('topics', 560), size('load', 2300), units])).not.toThrow();
  expect(() => checkFigures(page, [size('topics', 700), size('load', 2100), size('macros', 400), units])).toThrow(
    /^docs\/cost.md is more than a tenth off\. topics: 700, not 600; macros: 400, not NaN$/,
  );
  expect(() => checkFigures(page, [{ ...units, is: 11 }])).toThrow('units: 11, not 9');
});
