import { seedArticles } from '../../support/service/seed.ts';
import { inTurns, print } from '../figures.ts';
import { SITE, startBenchService } from '../service.ts';

const TOPICS = 200;
const ARTICLES = 10_000;
const WORDS =
  'order refund invoice password printer network account shipping delay error screen update login payment'.split(' ');

/** Compares the list of topics with a search over articles and the list without one, both warm. */
export async function bench(): Promise<string> {
  const service = await startBenchService();
  try {
    const { ask, table } = service;
    const topics: number[] = [];
    for (let n = 0; n < TOPICS; n += 1)
      topics.push(JSON.parse((await ask('POST', '/api/v2/topics', { name: `T ${n}` })).body).id);
    const word = (n: number) => `${WORDS[n % WORDS.length]}${n % 97 === 0 ? n % 89 : ''}`;
    await seedArticles(
      table,
      SITE,
      Array.from({ length: ARTICLES }, (_, n) => ({
        id: n + 1,
        subject: `${word(n)} ${word(n * 7)}`,
        body: Array.from({ length: 120 }, (_, m) => word(n * 31 + m * 17)).join(' '),
        topics: [topics[n % TOPICS] ?? 0],
      })),
    );
    const ratios: number[] = [];
    for (const perPage of [50, 1000]) {
      const timed = async (target: string) => {
        const started = performance.now();
        for (let n = 0; n < 20; n += 1) await ask('GET', target);
        return (performance.now() - started) / 20;
      };
      let fresh = 0;
      const list = `/api/v2/topics?per_page=${perPage}`;
      const searching = () => `${list}&article_search[text]=${WORDS[((fresh += 1)) % WORDS.length]} pa`;
      await timed(list);
      await timed(searching());
      const { a, b, ratio } = await inTurns(
        15,
        () => timed(searching()),
        () => timed(list),
      );
      print(`per_page ${perPage}: search ${a.toFixed(2)} ms, plain ${b.toFixed(2)} ms, ratio ${ratio.toFixed(2)}`);
      ratios.push(ratio);
    }
    return `${Math.max(...ratios).toFixed(2)}x the plain list (target 3x)`;
  } finally {
    await service.end();
  }
}
