import type { Definitions } from '../model/definitions.ts';
import { type Rights, rightsOf } from '../model/rights.ts';
import { type Api, ApiError } from './api.ts';

/** What whoever signs in may do. Throws `ApiError` for wrong credentials too. */
export async function loadRights(api: Api): Promise<Rights> {
  const { data } = await api.ask<{ readonly role: string }>('/api/v2/users/me');
  return rightsOf(data.role, await loadDefinitions(api));
}

/** What the service says of its reports; undefined where the role has none. */
async function loadDefinitions(api: Api): Promise<Definitions | undefined> {
  try {
    return (await api.ask<Definitions>('/api/v2/report_definitions')).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}
