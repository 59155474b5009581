import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { knownLocale } from '../../lib/access/locales.ts';
import {
  changedSite,
  changeShape,
  SETTING_NAMES,
  type Site,
  type SiteSetting,
  settingOf,
} from '../../lib/access/site-fields.ts';
import { normalizeHost } from '../../lib/access/sites.ts';
import { bodyOf } from '../../lib/account/site-settings.ts';
import { caseUrlFault } from '../../lib/case-url.ts';
import { type CliOption, type CliOptions, choice, toggle, value } from './command.ts';
import { taken } from './taken.ts';

const settingsShape = z.object({ ...changeShape, default: z.boolean().optional() });
type SettingOptions = z.infer<typeof settingsShape>;

/** The options of a site's settings. */
export const SETTINGS: CliOptions = {
  ...Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const setting = settingOf(name);
      return setting.option === undefined ? [] : [[name, settingOption(setting, setting.option)]];
    }),
  ),
  default: toggle('answer hosts that belong to no site'),
};

function settingOption(setting: SiteSetting, form: string): CliOption<unknown> {
  const about = `${setting.about}${isOptional(setting) ? `; ${noneOf(setting)}: without` : ''}`;
  const { takes } = setting;
  return takes.kind === 'word' ? choice(form, about, takes.words) : value(form, about, readerOf(setting));
}

/** The settings that a command asks for; null takes one away, which Commander gives as ''. */
export const settingsOf = (options: Readonly<Record<string, unknown>>): SettingOptions =>
  settingsShape.parse(
    Object.fromEntries(Object.entries(options).map(([name, asked]) => [name, asked === '' ? null : asked])),
  );

function isOptional({ stored, usual }: SiteSetting): boolean {
  return usual === undefined && stored.safeParse(undefined).success;
}

function noneOf({ takes }: SiteSetting): string {
  return takes.kind === 'count' ? '0' : 'none';
}

/** A site's settings, overridden by the given options. */
export function mergeSettings(site: Site, { default: _, ...change }: SettingOptions): Site {
  const after = changedSite(site, change);
  return {
    ...after,
    hosts: [...new Set([`${site.name}.localhost`, ...after.hosts])],
    defaultLocale: after.locales.includes(site.defaultLocale) ? site.defaultLocale : (after.locales[0] ?? ''),
  };
}

/** The reader of an option's text; `before` is what the same option said earlier in the command. */
function readerOf(setting: SiteSetting): (text: string, before?: unknown) => unknown {
  const { takes } = setting;
  const read = (text: string, before: unknown): unknown => {
    switch (takes.kind) {
      case 'line':
      case 'zone':
        return taken(bodyOf(setting))(text);
      case 'locales':
        return taken(bodyOf(setting))(text.split(',').map(locale));
      case 'case_url':
        return caseUrl(text);
      case 'origin':
        return portalUrl(text);
      case 'count':
        return count(text, takes.most);
      case 'hosts':
        return [...listed(before), host(text)];
      case 'origins':
        return [...new Set([...listed(before), origin(text)])];
      default:
        throw new Error(`no option takes a ${takes.kind}`);
    }
  };
  return (text, before) => (isOptional(setting) && text === noneOf(setting) ? null : read(text, before));
}

const listed = (before: unknown): readonly unknown[] => (Array.isArray(before) ? before : []);

const LOCAL: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

function host(text: string): string {
  const name = normalizeHost(text);
  if (LOCAL.includes(name)) throw new InvalidArgumentError('It always names the default site: use --default.');
  if (!/^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9])?$/.test(name)) throw new InvalidArgumentError('It is not a host name.');
  return name;
}

function locale(text: string): string {
  const code = knownLocale(text);
  if (code !== undefined) return code;
  throw new InvalidArgumentError(`"${text}" is not a language code such as en_us or de.`);
}

function count(text: string, most: number): number {
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text);
  throw new InvalidArgumentError(`It is not a number from 0 to ${most}.`);
}

function origin(text: string): string {
  const isOrigin = URL.canParse(text) && new URL(text).origin === text.toLowerCase();
  if (isOrigin && /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)(:|$))/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It is neither an origin such as https://help.example.com nor none.');
}

function portalUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.origin === text.toLowerCase().replace(/\/$/, '')) return url.origin;
  throw new InvalidArgumentError('It is neither an origin such as https://help.example.com nor none.');
}

function caseUrl(text: string): string {
  const fault = caseUrlFault(text);
  if (fault === undefined) return text;
  throw new InvalidArgumentError(fault);
}
