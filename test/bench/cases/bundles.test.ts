import { checkPage } from './bundles.ts';

const page = '| bundle | size |\n|---|---|\n| topics | 600 KiB | why |\n| load | 2,100 KiB | why |\n';

it('is content with a page that is at most a tenth off, and names each bundle that is more', () => {
  expect(() =>
    checkPage(
      page,
      new Map([
        ['topics', 560 * 1024],
        ['load', 2300 * 1024],
      ]),
    ),
  ).not.toThrow();
  const sizes = new Map([
    ['topics', 700 * 1024],
    ['load', 2100 * 1024],
    ['macros', 400 * 1024],
  ]);
  expect(() => checkPage(page, sizes)).toThrow(
    'docs/cost.md is more than a tenth off. topics: 700 KiB, not 600; macros: 400 KiB, not 0',
  );
});
