import type { Site } from '../../../lib/access/site-fields.ts';
import { routes } from '../../../lib/routes.ts';
import { importRecords } from './import.ts';
import { startService, type TestService } from './service.ts';

/** A service with functions to import records and to read the results. */
export interface ImportSite extends TestService {
  readonly load: (...records: readonly unknown[]) => ReturnType<typeof importRecords>;
  /** The lines and reasons of rejected records, in the order in which they were found. */
  readonly reasons: (...records: readonly unknown[]) => Promise<(readonly [number, string])[]>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  readonly show: (target: string) => Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  readonly list: (target: string) => Promise<any[]>;
}

export async function startImportSite(settings: Partial<Site> = {}): Promise<ImportSite> {
  const service = await startService(routes, { site: { locales: ['en_us', 'de'], ...settings } });
  const load: ImportSite['load'] = (...records) => importRecords(service.table, service.site, records);
  return {
    ...service,
    load,
    reasons: async (...records) => (await load(...records)).rejected.map(({ line, reason }) => [line, reason]),
    show: async (target) => (await service.ask('GET', target)).body,
    list: async (target) => (await service.ask('GET', target)).body._embedded.entries,
  };
}
