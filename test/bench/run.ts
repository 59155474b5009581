/** The benches of `npm run bench -- NAME…`; each prints its figures and returns a summary line with its target. */
const BENCHES: Readonly<Record<string, () => Promise<{ bench(options: readonly string[]): Promise<string> }>>> = {
  trips: () => import('./cases/trips.ts'),
  handler: () => import('./cases/handler.ts'),
  bundles: () => import('./cases/bundles.ts'),
  search: () => import('./cases/search.ts'),
  checksums: () => import('./cases/checksums.ts'),
  throughput: () => import('./cases/throughput.ts'),
  viewers: () => import('./cases/viewers.ts'), // of a link to a board
  console: () => import('./cases/console.ts'),
  memory: () => import('./cases/memory.ts'),
  cost: () => import('./cases/cost.ts'),
  'first-contact': () => import('./cases/first-contact.ts'), // two minutes: --files 100 for a first look
  import: () => import('./cases/import.ts'), // takes minutes, as do the reports: --scale 0.05 for a first look
  reports: () => import('./cases/reports.ts'),
  changes: () => import('./cases/changes.ts'), // two minutes: --scale 0.02 for a first look
  warehouse: () => import('./cases/warehouse.ts'), // two minutes: --scale 0.05 for a first look
  statements: () => import('./cases/statements.ts'), // minutes: --scale 0.02 for a first look
  sites: () => import('./cases/sites.ts'), // two minutes: --sites 20 for a first look
  mails: () => import('./cases/mails.ts'), // five minutes: --sites 40 for a first look
  live: () => import('./cases/live.ts'), // two minutes: --cases 200 for a first look
  apart: () => import('./cases/apart.ts'),
  soak: () => import('./cases/soak.ts'), // half an hour: --minutes 2 for a first look
};

const names = Object.keys(BENCHES);
const words = process.argv.slice(2);
const wanted = words.filter((word) => !word.startsWith('-') && names.includes(word));
const [first] = words;
const unknown = first !== undefined && !first.startsWith('-') && !names.includes(first) ? first : undefined;
if (unknown !== undefined || words.includes('--help')) {
  process.stdout.write(`npm run bench -- [NAME…] [OPTIONS]\nNames: ${names.join(', ')}; without one all of them.\n`);
  process.exit(unknown === undefined ? 0 : 2);
}
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const summary: string[] = [];
for (const name of wanted.length === 0 ? names : wanted) {
  process.stdout.write(`\n== ${name}\n`);
  const found = await BENCHES[name]?.();
  if (found === undefined) continue;
  summary.push(`${name}: ${await found.bench(words.filter((word) => !names.includes(word)))}`);
}
process.stdout.write(`\n${summary.join('\n')}\n`);
