import * as z from 'zod';

/** A user of a deployed service whose table is out of reach: an Administrator of an empty site. */
export interface Account {
  readonly login: string;
  readonly password: string;
}

/** The service that runs elsewhere and is under test. */
export interface Deployed {
  readonly url: string; // what comes before `/api/v2`
  readonly run: string; // the beginning of the names of all sites that this run makes
  readonly account: Account | undefined; // undefined: the table is `TABLE_NAME`
}

const schema = z.object({
  API_URL: z.url(),
  TEST_RUN: z.string(), // set by run-setup.ts
  TABLE_NAME: z.string().optional(),
  API_LOGIN: z.string().optional(),
  API_PASSWORD: z.string().default(''),
});

/**
 * The service at `API_URL`, reached with its table (`TABLE_NAME`) or by the credentials `API_LOGIN` and `API_PASSWORD`
 * alone; undefined if `API_URL` is not set: then tests start it in their own process.
 */
export function readDeployed(env: Readonly<Record<string, string | undefined>> = process.env): Deployed | undefined {
  if (!env.API_URL) return undefined;
  const { API_URL: url, TEST_RUN: run, TABLE_NAME, API_LOGIN: login, API_PASSWORD: password } = schema.parse(env);
  if ((TABLE_NAME === undefined) === (login === undefined))
    throw new Error('API_URL needs either TABLE_NAME, the table behind it, or API_LOGIN and API_PASSWORD.');
  return { url, run, account: login === undefined ? undefined : { login, password } };
}
