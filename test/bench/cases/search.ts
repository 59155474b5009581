import { seedArticles } from '../../support/service/seed.ts';
import { inTurns, longestHold, median, print } from '../figures.ts';
import { type BenchService, SITE, startBenchService } from '../service.ts';

const TOPICS = 200;
const ARTICLES = 10_000;
const FEW = 100;
const LARGE = { articles: 1500, words: 2500 }; // some 16 KB each
const WORDS =
  'order refund invoice password printer network account shipping delay error screen update login payment'.split(' ');
const ARTICLE_PAGE = '/api/v2/articles?page=1&per_page=50';

const word = (n: number): string => `${WORDS[n % WORDS.length]}${n % 97 === 0 ? n % 89 : ''}`;

/** Starts a service with articles of so many words. */
async function startWith(articles: number, words: number): Promise<BenchService> {
  const service = await startBenchService();
  const topics: number[] = [];
  for (let n = 0; n < TOPICS; n += 1)
    topics.push(JSON.parse((await service.ask('POST', '/api/v2/topics', { name: `T ${n}` })).body).id);
  await seedArticles(
    service.table,
    SITE,
    Array.from({ length: articles }, (_, n) => ({
      id: n + 1,
      subject: `${word(n)} ${word(n * 7)}`,
      body: Array.from({ length: words }, (_, m) => word(n * 31 + m * 17)).join(' '),
      topics: [topics[n % TOPICS] ?? 0],
    })),
  );
  return service;
}

/** The ms that a request takes on average. */
async function timed({ ask }: BenchService, target: () => string): Promise<number> {
  const started = performance.now();
  for (let n = 0; n < 20; n += 1) await ask('GET', target());
  return (performance.now() - started) / 20;
}

const searches = (path: string): (() => string) => {
  let fresh = 0;
  return () => `${path}${WORDS[((fresh += 1)) % WORDS.length]} pa`;
};

/**
 * Compares the list of topics with a search over articles and the list without one, both warm; a page of articles of many
 * and of few; and looks how long a first list and a first search let nobody else have a turn.
 */
export async function bench(): Promise<string> {
  await firsts('first list, 10,000 articles', ARTICLES, 120, ARTICLE_PAGE);
  await firsts('first search, 10,000 articles', ARTICLES, 120, `${ARTICLE_PAGE}&q=order pa`);
  await firsts('first search, 1,500 articles of 16 KB', LARGE.articles, LARGE.words, `${ARTICLE_PAGE}&q=order pa`);
  const [many, few] = [await startWith(ARTICLES, 120), await startWith(FEW, 120)];
  try {
    const ratios: number[] = [];
    for (const perPage of [50, 1000]) {
      const list = `/api/v2/topics?per_page=${perPage}`;
      const searching = searches(`${list}&article_search[text]=`);
      await timed(many, () => list);
      await timed(many, searching);
      const { a, b, ratio } = await inTurns(
        15,
        () => timed(many, searching),
        () => timed(many, () => list),
      );
      print(`per_page ${perPage}: search ${a.toFixed(2)} ms, plain ${b.toFixed(2)} ms, ratio ${ratio.toFixed(2)}`);
      ratios.push(ratio);
    }
    const page = await inTurns(
      15,
      () => timed(many, () => ARTICLE_PAGE),
      () => timed(few, () => ARTICLE_PAGE),
    );
    print(
      `a page of 50 of ${ARTICLES}: ${page.a.toFixed(2)} ms, of ${FEW}: ${page.b.toFixed(2)} ms, ratio ${page.ratio.toFixed(2)}`,
    );
    const searching = searches('/api/v2/articles/search?per_page=50&text=');
    const found = await inTurns(
      15,
      () => timed(many, searching),
      () => timed(few, searching),
    );
    print(`a warm search of ${ARTICLES}: ${found.a.toFixed(2)} ms, of ${FEW}: ${found.b.toFixed(2)} ms`);
    return `${Math.max(...ratios).toFixed(2)}x the plain list (target 3x); a page of 50 ${page.ratio.toFixed(2)}x (target 1.5x)`;
  } finally {
    await many.end();
    await few.end();
  }
}

/** Prints how long a first request of a new service took, and held up everybody else, in a few services. */
async function firsts(title: string, articles: number, words: number, target: string): Promise<void> {
  const [walls, processors, times]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < 6; round += 1) {
    const service = await startWith(articles, words);
    const started = performance.now();
    const { wall, processor } = await longestHold(() => service.ask('GET', target));
    times.push(performance.now() - started);
    walls.push(wall);
    processors.push(processor);
    await service.end();
  }
  const [cold = 0, ...warm] = processors;
  const ofProcessor = `${median(warm).toFixed(1)} ms of the processor (new process ${cold.toFixed(1)}, worst ${Math.max(...warm).toFixed(1)})`;
  print(
    `${title}: ${median(times).toFixed(0)} ms, longest hold ${ofProcessor}, ${median(walls).toFixed(1)} ms on the clock`,
  );
}
