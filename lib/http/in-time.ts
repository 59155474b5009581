import { unavailable } from '../store/faults.ts';

/**
 * Gives what the work gives; throws `unavailable` where that takes longer than `within` ms. The work goes on: whether it
 * will have been done nobody knows, as with every answer that gets lost.
 */
export async function inTime<T>(within: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), within);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
