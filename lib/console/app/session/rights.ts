import type { Definitions } from '../../model/definitions.ts';
import { type Rights, rightsOf } from '../../model/rights.ts';
import { type Api, ApiError } from '../api.ts';

/** Loads the rights of the user who signs in. Throws `ApiError`, also for wrong credentials. */
export async function loadRights(api: Api): Promise<Rights> {
  // This request comes first and alone, so that wrong credentials fail only once.
  const { data } = await api.ask<{ readonly role: string }>('/api/v2/users/me');
  const definitions = loadDefinitions(api);
  const rights = rightsOf(data.role, undefined);
  const mayImport = rights.mayImport && (await takesFiles(api));
  return { ...rights, definitions: await definitions, mayImport };
}

/** Whether the service takes files. */
async function takesFiles(api: Api): Promise<boolean> {
  try {
    await api.ask('/api/v2/imports?per_page=1');
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

/** Loads the definitions of reports; undefined if the role has no reports. */
export async function loadDefinitions(api: Api): Promise<Definitions | undefined> {
  try {
    return (await api.ask<Definitions>('/api/v2/report_definitions')).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}
