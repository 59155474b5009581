import type { Page } from 'playwright-core';
import { eventually } from './eventually.ts';

/** Requests that wait. */
interface Held {
  /** The requests that came so far. */
  readonly count: () => number;
  /** Lets the request go that waits longest, as soon as there is one. */
  readonly next: () => Promise<void>;
  /** Lets all go, and those that follow. */
  readonly release: () => void;
}

/** Holds the requests of a page that have this method and a path that ends so, or the replies to them. */
export async function hold(page: Page, method: string, end: string, what?: 'replies'): Promise<Held> {
  const waiting: (() => void)[] = [];
  let count = 0;
  let isOpen = false;
  await page.route(
    ({ pathname }) => pathname.endsWith(end),
    async (route) => {
      if (route.request().method() !== method) return route.fallback();
      count += 1;
      const response = what === 'replies' ? await route.fetch() : undefined;
      if (!isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
      return response ? route.fulfill({ response }) : route.continue();
    },
  );
  return {
    count: () => count,
    next: async () => {
      await eventually(
        () => waiting.length,
        (value) => expect(value).toBeGreaterThan(0),
      );
      waiting.shift()?.();
    },
    release: () => {
      isOpen = true;
      for (const go of waiting.splice(0)) go();
    },
  };
}
