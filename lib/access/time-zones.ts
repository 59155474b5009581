import { name, Rejection, shown } from '../json-readers.ts';
import { isTimeZone } from '../zone.ts';

/** Names of time zones in Ruby on Rails that are no cities of IANA names: IANA name → Rails names, separated by `|`. */
const RAILS_NAMES: Readonly<Record<string, string>> = {
  'Etc/GMT+12': 'International Date Line West',
  'Pacific/Midway': 'Midway Island',
  'Pacific/Pago_Pago': 'American Samoa',
  'Pacific/Honolulu': 'Hawaii',
  'America/Juneau': 'Alaska',
  'America/Los_Angeles': 'Pacific Time (US & Canada)',
  'America/Denver': 'Mountain Time (US & Canada)',
  'America/Phoenix': 'Arizona',
  'America/Chicago': 'Central Time (US & Canada)',
  'America/Regina': 'Saskatchewan',
  'America/Mexico_City': 'Guadalajara',
  'America/Guatemala': 'Central America',
  'America/New_York': 'Eastern Time (US & Canada)',
  'America/Indiana/Indianapolis': 'Indiana (East)',
  'America/Lima': 'Quito',
  'America/Halifax': 'Atlantic Time (Canada)',
  'America/St_Johns': 'Newfoundland',
  'America/Sao_Paulo': 'Brasilia',
  'America/Argentina/Buenos_Aires': 'Buenos Aires',
  'America/Guyana': 'Georgetown',
  'America/Nuuk': 'Greenland',
  'Atlantic/South_Georgia': 'Mid-Atlantic',
  'Atlantic/Cape_Verde': 'Cape Verde Is.',
  'Europe/London': 'Edinburgh',
  'Europe/Zurich': 'Bern',
  'Africa/Algiers': 'West Central Africa',
  'Europe/Kiev': 'Kyiv',
  'Africa/Johannesburg': 'Pretoria',
  'Europe/Moscow': 'St. Petersburg',
  'Asia/Muscat': 'Abu Dhabi',
  'Asia/Yekaterinburg': 'Ekaterinburg',
  'Asia/Karachi': 'Islamabad',
  'Asia/Kolkata': 'Chennai|Kolkata|Mumbai|New Delhi',
  'Asia/Kathmandu': 'Kathmandu',
  'Asia/Colombo': 'Sri Jayawardenepura',
  'Asia/Almaty': 'Astana',
  'Asia/Rangoon': 'Rangoon',
  'Asia/Bangkok': 'Hanoi',
  'Asia/Shanghai': 'Beijing',
  'Asia/Chongqing': 'Chongqing',
  'Asia/Tokyo': 'Osaka|Sapporo',
  'Australia/Melbourne': 'Canberra',
  'Pacific/Guadalcanal': 'Solomon Is.',
  'Pacific/Noumea': 'New Caledonia',
  'Pacific/Majuro': 'Marshall Is.',
  'Pacific/Auckland': 'Wellington',
  'Pacific/Tongatapu': "Nuku'alofa",
  'Pacific/Fakaofo': 'Tokelau Is.',
  'Pacific/Chatham': 'Chatham Is.',
  'Pacific/Apia': 'Samoa',
};

const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');

/** Rails calls most zones by the city of their IANA name: `Buenos Aires`, `Berlin`. */
const IANA_BY_RAILS: ReadonlyMap<string, string> = new Map([
  ...Intl.supportedValuesOf('timeZone').map((zone) => [cityOf(zone), zone] as const),
  ...Object.entries(RAILS_NAMES).flatMap(([zone, names]) => names.split('|').map((name) => [name, zone] as const)),
]);

/** Returns the IANA name for a Rails name of a zone; other names are returned unchanged. */
const ianaName = (name: string): string => IANA_BY_RAILS.get(name) ?? name;

/** Reads a time zone of a record, also by the names that other systems give it. */
export function readTimeZone(value: unknown, field: string): string {
  const zone = ianaName(name(value, field));
  if (!isTimeZone(zone)) throw new Rejection(`${field}: ${shown(value)} is not an IANA time zone`);
  return zone;
}
