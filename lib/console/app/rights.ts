import type { Definitions } from '../model/definitions.ts';
import { type Rights, rightsOf } from '../model/rights.ts';
import { type Api, ApiError } from './api.ts';

/** What whoever signs in may do. Throws `ApiError` for wrong credentials too. */
export async function loadRights(api: Api): Promise<Rights> {
  // Wrong credentials are found out once, before anything else is asked.
  const { data } = await api.ask<{ readonly role: string }>('/api/v2/users/me');
  const definitions = loadDefinitions(api);
  const rights = rightsOf(data.role, undefined);
  const mayImport = rights.mayImport && (await takesFiles(api));
  return { ...rights, definitions: await definitions, mayImport };
}

/** Whether the service has a place for files. */
async function takesFiles(api: Api): Promise<boolean> {
  try {
    await api.ask('/api/v2/imports?per_page=1');
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
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
