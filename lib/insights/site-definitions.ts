import type { Context } from '../context.ts';
import { readTells } from '../history/sources.ts';
import { definitions, siteDefinition } from './definitions/definitions.ts';

/** All definitions, with the site's defaults and what its history cannot tell. */
export const siteDefinitions = async (context: Pick<Context, 'table' | 'site'>) => ({
  ...definitions(await readTells(context)),
  site: siteDefinition(context.site),
});
