import { buildConsole } from '../../../infra/console/build.ts';
import { firstViewSize } from '../../support/service/first-view.ts';

it('a visitor of the console loads at most 60 KiB of gzip first', async () => {
  const size = firstViewSize(await buildConsole());
  expect(size).toBeGreaterThan(20 * 1024); // that something was counted
  expect(size).toBeLessThan(60 * 1024);
});
