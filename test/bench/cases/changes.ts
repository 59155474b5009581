import { parseArgs } from 'node:util';
import { madeSite } from '../data/made-site.ts';
import { inTurns, medianTime, print } from '../figures.ts';
import { startServiceProcess } from '../service-process.ts';

const FIELDS = [
  ...['case_creates', 'case_resolves', 'resolved_cases', 'case_reopen_rate', 'avg_time_to_resolution'],
  ...['time_to_resolution:p50', 'open_cases'],
];
const RANGES = {
  'a month': { min: '2025-11-01T00:00:00Z', max: '2025-12-01T00:00:00Z' },
  'half a year': { min: '2025-07-01T00:00:00Z', max: '2026-01-01T00:00:00Z' },
} as const;
const AIM = 3; // times its report

/** Times why a number moved beside its report with the same comparison, in turns: `--scale 0.31` has 4 million facts. */
export async function bench(words: readonly string[]): Promise<string> {
  const options = {
    scale: { type: 'string', default: '0.31' },
    rounds: { type: 'string', default: '3' },
    'data-dir': { type: 'string' },
  } as const;
  const { values } = parseArgs({ args: [...words], options });
  const { dataDir, loaded, remove } = await madeSite(Number(values.scale), values['data-dir']);
  const service = await startServiceProcess(dataDir);
  try {
    await service.signIn();
    print(`${loaded.events} events\n| range | field | report, ms | why, ms | times |`);
    print('|---|---|---|---|---|');
    const ratios: number[] = [];
    for (const [range, span] of Object.entries(RANGES)) {
      for (const field of FIELDS) {
        const body = { fields: [field], time: { ...span, window_size: 'none', compare: 'previous_period' } };
        const time = (path: 'changes' | 'reports') => () => medianTime(3, () => service.ask(path, body));
        const { a, b, ratio } = await inTurns(Number(values.rounds), time('changes'), time('reports'));
        ratios.push(ratio);
        print(`| ${range} | \`${field}\` | ${b.toFixed(1)} | ${a.toFixed(1)} | ${ratio.toFixed(1)} |`);
      }
    }
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
    return `${least.toFixed(1)} to ${most.toFixed(1)} times the report (aim: ${AIM})`;
  } finally {
    await service.stop();
    remove();
  }
}
