import { eventsOf } from '../history/rewrite.ts';
import type { PlainFormat } from './format-names.ts';
import type { Mapping } from './formats/mapping.ts';
import { ZENDESK_DEFAULTS, type ZendeskOptions } from './formats/zendesk/options.ts';
import type { ImportContext } from './import-rows.ts';
import { agentIds } from './reference/agents.ts';
import { openFile, openZendesk, type ReadElsewhere, type Source } from './source.ts';

/** The parameters to open a file of any format; each format uses some of them. */
export interface OpenRequest {
  readonly path: string;
  readonly folder: string; // for temporary files
  readonly context: ImportContext;
  readonly readElsewhere?: ReadElsewhere | undefined;
  readonly mapping?: Mapping | undefined; // of a CSV
  readonly zendesk?: Omit<ZendeskOptions, 'rating' | 'agents'> | undefined; // absent: the defaults
  readonly check?: string | undefined; // a file of Zendesk's ticket metrics
}

/** Opens a file of each format that is not a pack. */
export const OPENERS: { readonly [F in PlainFormat]: (request: OpenRequest) => Promise<Source> } = {
  ndjson: ({ path, folder, readElsewhere }) => openFile({ path, mapping: undefined, folder }, readElsewhere),
  zendesk: async ({ context, zendesk = ZENDESK_DEFAULTS, ...request }) => {
    const { site } = context;
    const options = { ...zendesk, rating: site.rating, agents: await agentIds({ ...context, site: site.name }) };
    return openZendesk({ ...request, options, eventsOf: (subjects) => eventsOf(context, subjects) });
  },
  csv: ({ path, folder, mapping, readElsewhere }) => openFile({ path, mapping, folder }, readElsewhere),
};
