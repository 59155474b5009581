import { changeBy, RECORDED_NAMES, type SiteChange, type SiteSetting, settingOf } from '../../access/site-fields.ts';
import { readTimeZone } from '../../access/time-zones.ts';
import { type JsonFields, listOf, name, oneOf, optional } from '../../json-readers.ts';
import { locale } from './record-fields.ts';

const READERS = RECORDED_NAMES.map((setting) => ({
  api: settingOf(setting).api ?? setting,
  read: readerOf(settingOf(setting)),
}));

/** Reads the settings that a record changes; throws `Rejection`. */
export const readSiteSettings = (raw: JsonFields): SiteChange =>
  changeBy(Object.fromEntries(READERS.map(({ api, read }) => [api, optional(raw, api, read)])));

function readerOf({ takes }: SiteSetting): (value: unknown, field: string) => unknown {
  switch (takes.kind) {
    case 'line':
      return name;
    case 'word':
      return oneOf(takes.words);
    case 'zone':
      return readTimeZone;
    case 'locale':
      return locale;
    case 'locales':
      return listOf(locale);
    default:
      throw new Error(`records have no setting of the kind ${takes.kind}`);
  }
}
