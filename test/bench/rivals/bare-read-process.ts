import { planOf, readSegments } from '../cases/segment-scan.ts';
import { withHistory } from '../data/made-site.ts';

const [dataDir = '', body = ''] = process.argv.slice(2);
const plan = planOf(JSON.parse(body));
const ms = await withHistory(dataDir, async (context) => {
  const start = performance.now();
  await readSegments(context, plan);
  return performance.now() - start;
});
process.send?.(ms);
