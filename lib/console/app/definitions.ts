import type { Definitions } from '../model/definitions.ts';
import { type Api, ApiError } from './api.ts';

/** What the service says of itself; undefined where the role has no reports. Throws `ApiError` for wrong credentials too. */
export async function loadDefinitions(api: Api): Promise<Definitions | undefined> {
  try {
    return (await api.ask<Definitions>('/api/v2/report_definitions')).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}
